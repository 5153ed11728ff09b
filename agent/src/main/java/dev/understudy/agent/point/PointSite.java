package dev.understudy.agent.point;

import dev.understudy.agent.bootstrap.Point;
import dev.understudy.agent.bootstrap.Points;
import dev.understudy.agent.bootstrap.ServedExchange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One place where a point is woven, with the names of the values there. For any threads. */
final class PointSite extends Point {
    final String label;
    final int number;
    /** The name of the method, or of the field. */
    final String named;

    private final LivePoint point;
    private final List<String> names;

    /**
     * @param label the method and what of it, for people
     * @param named the method's name alone, or the field's
     */
    PointSite(LivePoint point, String label, String named, List<String> names, int number) {
        super(names.size(), point.wanted.place.isOfField());
        this.point = point;
        this.label = label;
        this.named = named;
        this.names = List.copyOf(names);
        this.number = number;
    }

    LivePoint point() {
        return point;
    }

    List<String> names() {
        return names;
    }

    /** Whether woven code reaches it from now on. */
    void open(boolean open) {
        if (number > 0) {
            Points.set(number, open ? this : null);
        }
    }

    @Override
    protected boolean isDue() {
        return point.isDue();
    }

    @Override
    protected void pass(@Nullable Object[] seen, @Nullable ServedExchange exchange) {
        point.pass(this, seen, exchange);
    }
}
