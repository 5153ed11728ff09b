package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.aggregator.fact.Transaction.Outcome;
import dev.understudy.divergence.wire.postgres.PgMessage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PgTransactionTest {
    @Test
    void transactions_thatNothingTellsApart_areOne() {
        assertThat(ended(false, Outcome.COMMITTED).settled()).isSameAs(PgTransaction.OF_ITS_OWN);
    }

    @Test
    void transactions_thatAreBlocksOrOpenOrNotCommitted_stayThemselves() {
        for (Outcome outcome : Outcome.values()) {
            PgTransaction block = ended(true, outcome);
            assertThat(block.settled()).as("block, %s", outcome).isSameAs(block);
            PgTransaction own = ended(false, outcome);
            if (outcome != Outcome.COMMITTED) {
                assertThat(own.settled()).as("of its own, %s", outcome).isSameAs(own);
            }
        }
    }

    private static PgTransaction ended(boolean block, Outcome outcome) {
        PgTransaction transaction = new PgTransaction();
        if (block) {
            transaction.becomesBlock();
        }
        if (outcome != Outcome.OPEN) {
            PgMessage error = outcome == Outcome.COMMIT_FAILED ? new PgMessage('E', new byte[0]) : null;
            transaction.end(outcome, error);
        }
        return transaction;
    }
}
