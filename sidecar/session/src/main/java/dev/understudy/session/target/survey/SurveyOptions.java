package dev.understudy.session.target.survey;

import java.util.List;
import java.util.Map;

/**
 * What a survey may do, and what is known already.
 *
 * @param protocols chosen protocols, by port
 * @param probesUpstreams whether upstreams may be connected to, to find out their protocol
 * @param upstreams those that it isn't connected to yet, each {@code HOST:PORT}
 */
public record SurveyOptions(Map<Integer, String> protocols, boolean probesUpstreams, List<String> upstreams) {
    /** Nothing is known, and nothing is connected to. */
    public static final SurveyOptions QUIET = new SurveyOptions(Map.of(), false);

    /** Without further upstreams. */
    public SurveyOptions(Map<Integer, String> protocols, boolean probesUpstreams) {
        this(protocols, probesUpstreams, List.of());
    }

    public SurveyOptions {
        protocols = Map.copyOf(protocols);
        upstreams = List.copyOf(upstreams);
    }
}
