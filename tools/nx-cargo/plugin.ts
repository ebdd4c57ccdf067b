// Infers an Nx project, its targets and its crate-to-crate edges from every Cargo.toml of a crate.
import { dirname, join, relative } from "node:path";
import type {
  CreateDependencies,
  CreateNodes,
  ProjectConfiguration,
  RawProjectGraphDependency,
  TargetConfiguration,
} from "@nx/devkit";
import { DependencyType } from "@nx/devkit";
import { ensureToolchain, run } from "./toolchain.ts";

const tag = "lang:rust";

interface CargoPackage {
  name: string;
  manifest_path: string;
  dependencies: { path?: string }[];
  /** `[package.metadata.wasm]`: `artifact` is the name of the .wasm in dist/. */
  metadata: { wasm?: { artifact: string } } | null;
}

/** Asks cargo what the manifests of a workspace hold: no network, no lock file, no build. */
function cargoPackages(manifest: string): CargoPackage[] {
  const metadata = ["metadata", "--no-deps", "--offline", "--format-version=1", "--manifest-path", manifest];
  return JSON.parse(run(dirname(manifest), "cargo", ...metadata)).packages;
}

const cargo = (command: string): TargetConfiguration => ({
  executor: "nx:run-commands",
  cache: true,
  inputs: ["rust", "^rust"],
  options: { command, cwd: "{projectRoot}" },
  metadata: { technologies: ["rust"] },
});

function project(pkg: CargoPackage, root: string): Partial<ProjectConfiguration> {
  const artifact = pkg.metadata?.wasm?.artifact;
  const up = relative(root, "tools/nx-cargo");
  const targets: Record<string, TargetConfiguration> = {
    build: cargo("cargo build --locked --release"),
    test: { ...cargo("cargo test --locked"), dependsOn: artifact ? ["rust-wasm"] : [] },
    lint: cargo("cargo fmt --check && cargo clippy --locked --all-targets -- -D warnings"),
  };
  if (artifact) {
    const inputs = ["rust", "^rust", { externalDependencies: ["binaryen"] }];
    const command = `node ${up}/build-wasm.ts ${artifact}`;
    targets["rust-wasm"] = { ...cargo(command), inputs, outputs: ["{projectRoot}/dist"] };
  }
  return { name: pkg.name, root, projectType: "library", targets, tags: [tag] };
}

export const name = "nx-cargo";

export const createNodes: CreateNodes = [
  "**/Cargo.toml",
  (manifests, _options, { workspaceRoot }) => {
    ensureToolchain(workspaceRoot);
    return manifests.map((manifest) => {
      const absolute = join(workspaceRoot, manifest);
      const pkg = cargoPackages(absolute).find((p) => p.manifest_path === absolute);
      const root = dirname(manifest);
      return [manifest, pkg ? { projects: { [root]: project(pkg, root) } } : {}] as const;
    });
  },
];

export const createDependencies: CreateDependencies = (_options, { projects, workspaceRoot }) => {
  // Only crates that createNodes told of: Nx asks for edges even after that failed.
  const crates = Object.entries(projects).filter(([, project]) => project.tags?.includes(tag));
  const byRoot = new Map(crates.map(([name, project]) => [project.root, name]));
  const edges: RawProjectGraphDependency[] = [];
  for (const [root, source] of byRoot) {
    const sourceFile = join(root, "Cargo.toml");
    const absolute = join(workspaceRoot, sourceFile);
    const pkg = cargoPackages(absolute).find((p) => p.manifest_path === absolute);
    for (const dependency of pkg?.dependencies ?? []) {
      const target = dependency.path && byRoot.get(relative(workspaceRoot, dependency.path));
      if (target) edges.push({ source, target, sourceFile, type: DependencyType.static });
    }
  }
  return edges;
};
