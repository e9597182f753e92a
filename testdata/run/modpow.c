static int64_t power(int64_t e) {
	if (e <= 0)
		return 1;
	int64_t half = power(e / 2), square = half * half % 1000000007;
	return e % 2 ? square * 3 % 1000000007 : square;
}
int64_t run(int64_t arg) { return power(arg); }
