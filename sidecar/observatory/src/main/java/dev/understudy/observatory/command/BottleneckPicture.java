package dev.understudy.observatory.command;

/** A row of numbers as a row of blocks of eight heights. */
final class BottleneckPicture {
    private static final String BLOCKS = " ▁▂▃▄▅▆▇█";
    private static final int WIDEST = 60;

    private BottleneckPicture() {}

    /**
     * Draws the values of {@code from} to {@code to}; where there are too many, the highest of some stands for them.
     *
     * @param most the value of the highest block
     */
    static String of(Row row, int from, int to, double most) {
        int each = Math.max(1, (to - from + WIDEST) / WIDEST);
        StringBuilder picture = new StringBuilder();
        for (int first = from; first <= to; first += each) {
            double highest = Double.NaN;
            for (int window = first; window < first + each && window <= to; window++) {
                double value = row.at(window);
                highest = Double.isNaN(highest) || value > highest ? value : highest;
            }
            picture.append(Double.isNaN(highest) ? '?' : block(highest, most));
        }
        return picture.toString();
    }

    private static char block(double value, double most) {
        int height = value <= 0 || most <= 0 ? 0 : (int) Math.ceil(8 * value / most);
        return BLOCKS.charAt(Math.min(8, height));
    }

    /** The value of a window; NaN if it isn't known. */
    interface Row {
        double at(int window);
    }
}
