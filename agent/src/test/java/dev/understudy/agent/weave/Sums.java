package dev.understudy.agent.weave;

import java.util.List;
import java.util.Map;

/** Methods that have values of all kinds. */
public final class Sums {
    private int most;

    public static int within(int limit, int used) {
        int left = limit - used;
        return left * 2;
    }

    public static long longs(long start, int step, long end) {
        long sum = start + step;
        if (sum < end) {
            sum = start * 3;
        }
        return sum;
    }

    public static boolean called(
            String text, boolean flag, int number, List<String> list, Map<String, String> map, double none) {
        return text == null || flag || number > 5 || list.isEmpty() || map.isEmpty() || none > 1;
    }

    public static int raise(int by) {
        Sums sums = new Sums(by);
        sums.most = sums.most + by;
        return sums.most;
    }

    public static int many(int a, int b, int c) {
        int d = a + b;
        int e = b + c;
        int f = d + e;
        int g = f + a;
        int h = g * d;
        int i = h - e;
        int constant = 5;
        for (int j = 0; j < 3; j++) {
            i += constant;
        }
        return i;
    }

    public static int branchy(int n) {
        int x;
        if (n > 3) {
            long wide = n * 7L;
            x = (int) (wide % 5);
        } else {
            double real = n / 3.0;
            x = (int) real;
        }
        try {
            int y = 100 / x;
            x = y + n;
        } catch (ArithmeticException none) {
            int z = n - 1;
            x = z;
        }
        return x;
    }

    private Sums(int by) {
        most = by * 2;
    }
}
