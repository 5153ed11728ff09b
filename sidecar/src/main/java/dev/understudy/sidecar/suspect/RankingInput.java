package dev.understudy.sidecar.suspect;

/** Receives what a ranking rests on, in the order in which it was taken in; under the ranking's lock. */
public interface RankingInput {
    /** Receives nothing. */
    RankingInput NONE = new RankingInput() {
        @Override
        public void outcome(ExchangeOutcome outcome) {}

        @Override
        public void batch(byte[] json) {}

        @Override
        public void question() {}
    };

    /** An exchange has ended. */
    void outcome(ExchangeOutcome outcome);

    /** An agent's observations, which could be read. */
    void batch(byte[] json);

    /** Somebody asked for the suspects. */
    void question();
}
