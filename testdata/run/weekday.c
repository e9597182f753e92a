/* By counting days from Saturday, 1 January 2000, which works for dates from 1900 on. */
static int leap(int64_t y) { return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0); }
int64_t run(int64_t arg) {
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int64_t y = 1900, n = 1; /* 1 January 1900 was a Monday */
	for (; y < arg / 10000; y++)
		n += 365 + leap(y);
	for (int m = 1; m < arg / 100 % 100; m++)
		n += days[m - 1] + (m == 2 && leap(y));
	return (n + arg % 100 - 1) % 7;
}
