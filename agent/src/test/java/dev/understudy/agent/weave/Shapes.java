package dev.understudy.agent.weave;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Methods of many shapes, whose results for a seed are one text. */
@SuppressWarnings({"StatementSwitchToExpressionSwitch", "EnumOrdinal"}) // the old shapes are wanted too
public final class Shapes {
    private Shapes() {}

    public static String transcript(long seed) {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        for (int round = 0; round < 6; round++) {
            int n = random.nextInt(20);
            long wide = random.nextLong();
            lines.add(loop(n) + " " + nested(n, n / 2) + " " + wide(n, wide, 1.5, true, (byte) 3));
            lines.add(attempt(() -> thrower(n)) + attempt(() -> rethrower(n)) + attempt(() -> cleaner(n, lines)));
            lines.add(switcher(n) + switcher(String.valueOf(n % 3)) + recursive(n) + " " + many(n, 1, 2L, 3.0f, 4.0));
            lines.add(generic(List.of(n, 3, 9), Comparator.naturalOrder()) + text(n, "x") + new Instance(n).all());
            lines.add(lambdas(n) + " " + new Pair<>(n, "p").swap() + Colour.values()[n % 3].next() + arrays(n).length);
            lines.add(sum(1L, n, 2.5f) + " " + infinite(n) + " " + synchronised(n) + new Speaker() {}.speak(n));
            empty();
        }
        return String.join("\n", lines);
    }

    static int loop(int n) {
        int sum = 0;
        while (true) {
            if (sum > 100 || n-- <= 0) {
                return sum;
            }
            sum += n * n;
        }
    }

    static long nested(int a, int b) {
        long result = 0;
        outer:
        for (int i = 0; i < a; i++) {
            for (int j = b; j > 0; j--) {
                if (i * j == 42) {
                    continue outer;
                }
                result += (long) i << j;
            }
        }
        return result;
    }

    static double wide(int i, long l, double d, boolean b, byte y) {
        double acc = d;
        long other = l ^ i;
        if (b) {
            float f = y * 0.5f;
            acc += f + other % 7;
        }
        return acc;
    }

    static int thrower(int n) {
        if (n % 2 == 0) {
            throw new IllegalStateException("even " + n);
        }
        return n * 3 + 1;
    }

    static int rethrower(int n) {
        try {
            return thrower(n) + thrower(n + 1);
        } catch (IllegalStateException e) {
            if (n % 3 == 0) {
                throw new IllegalArgumentException("third", e);
            }
            return -n;
        } finally {
            empty();
        }
    }

    @SuppressWarnings("finally")
    static int cleaner(int n, List<String> log) {
        try {
            return thrower(n);
        } finally {
            log.add("cleaned " + n);
            try (AutoCloseable resource = () -> log.add("closed")) {
                log.add("opened " + (resource != null));
            } catch (Exception e) {
                log.add("never");
            }
        }
    }

    static String switcher(int n) {
        switch (n % 5) {
            case 0:
                return "zero";
            case 1:
            case 2:
                n += 10;
                break;
            default:
                n = n * 2;
        }
        return "s" + n;
    }

    static String switcher(String s) {
        return switch (s) {
            case "0" -> "none";
            case "1" -> {
                StringBuilder b = new StringBuilder("one");
                yield b.reverse().toString();
            }
            default -> s + s;
        };
    }

    static int recursive(int n) {
        return n <= 1 ? 1 : recursive(n - 1) + recursive(n - 2);
    }

    @SuppressWarnings("InfiniteRecursion")
    static int endless(int n) {
        return endless(n + 1) + n;
    }

    static String many(int a, Object... rest) {
        return a + ":" + rest.length + rest[0];
    }

    static <T> T generic(List<T> list, Comparator<? super T> order) {
        T best = list.get(0);
        for (T next : list) {
            best = order.compare(next, best) > 0 ? next : best;
        }
        return best;
    }

    static String text(int n, String s) {
        return n + s + n + s.length() + (char) ('a' + n % 26);
    }

    static String lambdas(int n) {
        IntFunction<String> f = i -> i + n + "f";
        Supplier<List<String>> all = () -> IntStream.range(0, n).mapToObj(f).collect(Collectors.toList());
        return String.join(",", all.get())
                + IntStream.range(0, n).map(Shapes::loop).sum();
    }

    static int[][] arrays(int n) {
        int[][] grid = new int[n + 1][2];
        for (int[] row : grid) {
            row[1]--;
        }
        return grid;
    }

    static float sum(long a, int n, float f) {
        for (int i = 0; i < n; i++) {
            f += a;
            if (f > 1e6f) {
                return f;
            }
        }
        return f;
    }

    static int infinite(int n) {
        do {
            n += 7;
            if (n % 11 == 0) {
                return n;
            }
        } while (true);
    }

    static synchronized int synchronised(int n) {
        Object lock = new Object();
        synchronized (lock) {
            if (n > 10) {
                return n;
            }
            return synchronisedInside(n) + 1;
        }
    }

    private static int synchronisedInside(int n) {
        synchronized (Shapes.class) {
            return n * 2;
        }
    }

    static void empty() {}

    private static String attempt(Supplier<Object> work) {
        try {
            return String.valueOf(work.get());
        } catch (RuntimeException e) {
            return e + "/" + e.getCause() + "@" + e.getStackTrace()[0].getMethodName();
        }
    }

    record Pair<A, B>(A first, B second) {
        Pair<B, A> swap() {
            if (first == null) {
                throw new IllegalStateException("first");
            }
            return new Pair<>(second, first);
        }
    }

    enum Colour {
        RED,
        GREEN,
        BLUE {
            @Override
            Colour next() {
                return super.next().next();
            }
        };

        Colour next() {
            return values()[(ordinal() + 1) % values().length];
        }
    }

    interface Speaker {
        default String speak(int n) {
            return quietly("speaks" + n);
        }

        private String quietly(String s) {
            return s.toLowerCase(java.util.Locale.ROOT) + shout(2);
        }

        static String shout(int n) {
            return "!".repeat(n);
        }
    }

    static final class Instance {
        private final int n;

        Instance(int n) {
            this.n = n;
        }

        String all() {
            StringBuilder text = new StringBuilder();
            for (Inner inner = new Inner(n); inner.left > 0; inner.step()) {
                text.append(inner.left).append(this.n);
            }
            return text.toString();
        }

        final class Inner {
            int left;

            Inner(int left) {
                this.left = Math.min(left, 4) + Instance.this.n % 2;
            }

            synchronized int step() {
                int before = left;
                left = before > 2 ? before / 2 : before - 1;
                return before;
            }
        }
    }
}
