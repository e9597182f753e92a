int64_t run(int64_t arg) {
	int64_t steps = 0;
	for (uint64_t n = arg > 0 ? arg : 0; (int64_t)n > 1; steps++)
		n = n & 1 ? 3 * n + 1 : n >> 1;
	return steps;
}
