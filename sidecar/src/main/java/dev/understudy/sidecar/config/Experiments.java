package dev.understudy.sidecar.config;

/** Whether requests may be sent to the copy once more to find out why they fail. */
public enum Experiments {
    /** Never. */
    OFF,
    /** When somebody asks for it. */
    ASK,
    /** Also when a suspect is first of whose route no execution was compared yet. */
    ON
}
