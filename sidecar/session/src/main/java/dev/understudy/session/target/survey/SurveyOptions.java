package dev.understudy.session.target.survey;

import java.util.Map;

/**
 * What a survey may do, and what is known already.
 *
 * @param protocols chosen protocols, by port
 * @param probesUpstreams whether upstreams may be connected to, to find out their protocol
 */
public record SurveyOptions(Map<Integer, String> protocols, boolean probesUpstreams) {
    /** Nothing is known, and nothing is connected to. */
    public static final SurveyOptions QUIET = new SurveyOptions(Map.of(), false);

    public SurveyOptions {
        protocols = Map.copyOf(protocols);
    }
}
