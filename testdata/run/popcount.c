int64_t run(int64_t arg) {
	int64_t bits = 0;
	for (uint64_t x = arg; x != 0; x &= x - 1)
		bits++;
	return bits;
}
