package dev.understudy.session.debug;

/** How far a session has come; each step needs the one before it. */
enum SessionStep {
    PLANNED("the plan is made"),
    WORLD("the copy's network is there"),
    RECORDED("its upstreams are recorded from now on"),
    STARTED("production listens"),
    PROGRAMS("sidecar and aggregator serve"),
    REDIRECTED("new connections pass through them"),
    SNAPSHOT("a snapshot of production is taken"),
    COPIED("the copy runs"),
    OBSERVED("the agent reports from the copy"),
    LIVE("the copy gets what clients send"),
    ENDED("everything is removed");

    private final String text;

    SessionStep(String text) {
        this.text = text;
    }

    /** What has been done, for people. */
    String text() {
        return text;
    }
}
