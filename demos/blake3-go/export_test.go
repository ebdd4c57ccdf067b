package blake3

// WithPortable computes in plain Go where there is a compiler too.
func WithPortable() CompileOption { return func(c *config) { c.portable = true } }

// CheckState is what UnmarshalBinary checks, by this package and by the artifact.
func CheckState(m *Module, data []byte) (byGo error, byRust bool) {
	i := m.borrow()
	defer m.release(i)
	copy(i.data[stateAt:], data)
	code, err := i.call(i.module.ExportedFunction("b3_state_check"), i.staging+stateAt)
	if err != nil {
		panic(err)
	}
	return (*state)(data).check(), code == 0
}
