package dev.understudy.aggregator.match;

import dev.understudy.divergence.content.WordFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One message of the sidecar; all times are its own.
 *
 * @param run tells one sidecar's process from another's
 * @param sameClock whether its clock is ours
 * @param sent when it was sent
 * @param roundTrip the shortest that a message and its answer took; 0 if none was answered yet
 * @param toldUntil all that had happened to an exchange before has been told, as far as the sidecar knew of the
 *     exchange
 * @param completeUntil all that arrived before has been told
 * @param exchanges what is known of those of which something has changed
 * @param reruns exchanges that the debug JVM is about to be sent once more, or was
 * @param kept exchanges that somebody may want it to be sent once more
 */
public record News(
        String run,
        boolean sameClock,
        long sent,
        long roundTrip,
        long toldUntil,
        long completeUntil,
        List<Told> exchanges,
        List<Again> reruns,
        List<Long> kept) {
    public News {
        exchanges = List.copyOf(exchanges);
        reruns = List.copyOf(reruns);
        kept = List.copyOf(kept);
    }

    /**
     * An exchange that the debug JVM is about to be sent once more, and the trace that it is told then.
     *
     * @param alone whether all else that the debug JVM serves meanwhile is told
     * @param over whether that has happened already
     */
    public record Again(TraceId trace, long exchange, boolean alone, boolean over) {}

    /** One exchange; as in {@link Inbound}. */
    public record Told(
            long id,
            long arrived,
            @Nullable Long replied,
            @Nullable Long handed,
            @Nullable Long done,
            @Nullable TraceId trace,
            @Nullable TraceId debugTrace,
            @Nullable WordFilter shown) {

        /** The same on our clock: what it took to be told may only widen the span. */
        Inbound at(long offset, long uncertainty) {
            long to = replied == null ? Long.MAX_VALUE : replied + offset;
            TimeSpan production = new TimeSpan(arrived + offset - uncertainty, to);
            return new Inbound(
                    id, trace, debugTrace, production, moved(handed, offset - uncertainty), moved(done, offset), shown);
        }

        /** The last that happened to it. */
        long latest() {
            long latest = arrived;
            for (Long time : new Long[] {replied, handed, done}) {
                latest = time == null ? latest : Math.max(latest, time);
            }
            return latest;
        }

        private static @Nullable Long moved(@Nullable Long time, long offset) {
            return time == null ? null : Long.valueOf(time + offset);
        }
    }
}
