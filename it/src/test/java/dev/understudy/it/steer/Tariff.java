package dev.understudy.it.steer;

/** What things cost. The test compiles another one, with a larger rebate, for the debug JVM. */
final class Tariff {
    private Tariff() {}

    @Listed
    static int price(String article, int pieces) {
        return rebated(each(article) * pieces, pieces);
    }

    private static int each(String article) {
        int cents = 100;
        for (int i = 0; i < article.length(); i++) {
            cents += article.charAt(i) % 20;
        }
        return cents;
    }

    private static int rebated(int cents, int pieces) {
        return pieces < 10 ? cents : cents - cents / 10;
    }
}
