package dev.understudy.divergence.compare.sql;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.compare.value.MixedText;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares what two servers say of one statement. Confined to one thread. */
final class ResultComparison {
    private final ValueNoise noise;
    private final MixedText mixed;
    private final Differences differences;

    ResultComparison(ValueNoise noise, MixedText mixed, Differences differences) {
        this.noise = noise;
        this.mixed = mixed;
        this.differences = differences;
    }

    /** @param at what all paths begin with */
    void compare(String at, SqlResult ours, SqlResult theirs) {
        notices(at + "notice", ours.notices(), theirs.notices());
        boolean failed = ours.error() != null || theirs.error() != null;
        if (failed) {
            notice(at + "error", ours.error(), theirs.error());
        }
        if ((ours.error() == null) != (theirs.error() == null)) {
            return; // what follows from that is no news
        }
        SqlComparison.named(at, ours.said(), theirs.said(), null, differences);
        if (columns(at + "columns", ours.columns(), theirs.columns())) {
            rows(at + "rows", ours, theirs);
        }
    }

    private void notices(String path, List<SqlNotice> ours, List<SqlNotice> theirs) {
        for (int i = 0; i < Math.max(ours.size(), theirs.size()) && !differences.full(); i++) {
            notice(
                    path + "[" + i + "]",
                    i < ours.size() ? ours.get(i) : null,
                    i < theirs.size() ? theirs.get(i) : null);
        }
    }

    private void notice(String path, @Nullable SqlNotice ours, @Nullable SqlNotice theirs) {
        if (ours == null || theirs == null) {
            boolean missing = theirs == null;
            differences.real(
                    path,
                    missing ? Difference.Type.MISSING : Difference.Type.EXTRA,
                    ours == null ? null : ours.shown(),
                    theirs == null ? null : theirs.shown());
            return;
        }
        if (!ours.state().equals(theirs.state())) {
            differences.real(path + ".state", Difference.Type.VALUE, ours.state(), theirs.state());
        }
        text(path + ".message", ours.message(), theirs.message());
        text(path + ".detail", ours.detail(), theirs.detail());
        if (!ours.rest().equals(theirs.rest())) {
            differences.noise(path, Difference.Type.VALUE, ours.rest(), theirs.rest(), Noise.CONTENT_FORM);
        }
    }

    private void text(String path, String ours, String theirs) {
        if (!ours.equals(theirs)) {
            differences.add(path, Difference.Type.VALUE, ours, theirs, noise.ofText(ours, theirs));
        }
    }

    /** Whether there are so many on both sides that rows may be compared. */
    private boolean columns(String path, List<SqlColumn> ours, List<SqlColumn> theirs) {
        if (ours.size() != theirs.size()) {
            differences.real(path, Difference.Type.LENGTH, names(ours), names(theirs));
            return false;
        }
        for (int i = 0; i < ours.size() && !differences.full(); i++) {
            SqlColumn one = ours.get(i);
            SqlColumn two = theirs.get(i);
            String place = path + "[" + i + "]";
            if (!one.name().equals(two.name())) {
                differences.real(place + ".name", Difference.Type.VALUE, one.name(), two.name());
            }
            if (!one.type().equals(two.type())) {
                differences.real(place + ".type", Difference.Type.TYPE, one.type(), two.type());
            }
        }
        return true;
    }

    private static String names(List<SqlColumn> columns) {
        return columns.size() + " columns: "
                + String.join(", ", columns.stream().map(SqlColumn::name).toList());
    }

    private void rows(String path, SqlResult ours, SqlResult theirs) {
        boolean ordered = ours.ordered() || theirs.ordered();
        SqlRows one = ours.rows();
        SqlRows two = theirs.rows();
        if (one.count() != two.count()) {
            differences.real(path, Difference.Type.LENGTH, one.count() + " rows", two.count() + " rows");
        }
        if (one.held() && two.held()) {
            RowComparison rows = new RowComparison(path, ours.columns(), noise, mixed, differences);
            if (ordered) {
                rows.inOrder(one.rows(), two.rows());
            } else {
                rows.inAnyOrder(one.rows(), two.rows());
            }
        } else if (one.count() == two.count()) {
            hashes(path, ordered, one, two);
        }
    }

    /** Of too many rows it is known whether they are the same, and not which aren't. */
    private void hashes(String path, boolean ordered, SqlRows ours, SqlRows theirs) {
        RowHashes one = ours.hashes();
        RowHashes two = theirs.hashes();
        String count = ours.count() + " rows, too many to be held, ";
        byte[] order = one.ordered();
        byte[] other = two.ordered();
        if (!one.sameRows(two)) {
            differences.real(path, Difference.Type.VALUE, count + "sum " + one.shown(), count + "sum " + two.shown());
        } else if (!Arrays.equals(order, other)) {
            differences.add(
                    path,
                    Difference.Type.ORDER,
                    count + "in order " + RowHashes.shown(order),
                    count + "in order " + RowHashes.shown(other),
                    ordered ? null : Noise.SET_ORDER);
        }
    }
}
