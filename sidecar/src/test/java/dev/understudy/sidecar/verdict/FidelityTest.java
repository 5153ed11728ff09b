package dev.understudy.sidecar.verdict;

import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class FidelityTest {
    private final Fidelity fidelity = new Fidelity();

    @Test
    void statement_withoutLosses_countsWhatArrived() {
        arrive(2000);
        for (int i = 0; i < 1999; i++) {
            fidelity.delivered();
        }

        assertThat(fidelity.statement()).isEqualTo("faithful: 1999 of 2000 exchanges");
    }

    @Test
    void statement_withLosses_namesTheFirstOne_howMany_andWhy() {
        arrive(900);
        fidelity.lost(850, "OVERFLOW_LANE");
        fidelity.lost(813, "OVERFLOW_LANE");
        fidelity.lostBytes(1_204_331, "OVERFLOW_LANE");

        assertThat(fidelity.statement())
                .isEqualTo("faithful up to exchange 812, lost 2 exchanges, 1 204 331 bytes: OVERFLOW_LANE");
        assertThat(fidelity.lost()).isEqualTo(2);
    }

    @Test
    void statement_namesAllReasons() {
        arrive(5);
        fidelity.lost(5, "OVERFLOW_GLOBAL");
        fidelity.lostBytes(10, "OVERFLOW_GLOBAL");
        fidelity.lost(4, "DEBUG_CLOSED");

        assertThat(fidelity.statement())
                .isEqualTo("faithful up to exchange 3, lost 2 exchanges, 10 bytes: DEBUG_CLOSED, OVERFLOW_GLOBAL");
    }

    @Test
    void bytes_withoutFrames_countBesideTheExchanges() {
        fidelity.rawDelivered(12_345);
        assertThat(fidelity.statement()).isEqualTo("faithful: 0 of 0 exchanges, 12 345 unframed bytes");

        fidelity.lostBytes(7, "DEBUG_RESET");
        assertThat(fidelity.statement()).isEqualTo("faithful: 0 of 0 exchanges, lost 7 unframed bytes: DEBUG_RESET");
    }

    @Test
    void delivery_thatMayNotHaveBeenRead_isRetracted() {
        arrive(1);
        fidelity.delivered();
        fidelity.retracted(1, "DEBUG_RESET");

        assertThat(fidelity.statement()).isEqualTo("faithful up to exchange 0, lost 1 exchange, 0 bytes: DEBUG_RESET");
    }

    private void arrive(int count) {
        for (int i = 1; i <= count; i++) {
            assertThat(fidelity.arrived()).isEqualTo(i);
        }
    }

    @Test
    void bytesThatNobodyFramed_makeTheCountALowerBound() {
        fidelity.arrived();
        fidelity.lost(1, "OVERFLOW_LANE");
        Fidelity connection = fidelity.ofConnection();
        connection.holed();
        connection.lostBytes(10, "OVERFLOW_LANE");

        assertThat(fidelity.statement())
                .isEqualTo("faithful up to exchange 0, lost at least 1 exchange, 10 bytes: OVERFLOW_LANE");
        assertThat(fidelity.read().holes()).isEqualTo(1);
    }

    @Test
    void connections_haveTheirOwn_inTheListenersNumbers() {
        Fidelity listener = new Fidelity();
        Fidelity first = listener.ofConnection();
        Fidelity second = listener.ofConnection();
        first.arrived();
        long lost = second.arrived();
        first.arrived();
        first.delivered();
        first.delivered();
        first.retracted(1, "DEBUG_CLOSED");
        second.lost(lost, "OVERFLOW_LANE");
        second.lostBytes(7, "OVERFLOW_LANE");
        first.rawDelivered(3);

        assertThat(first.read())
                .isEqualTo(new FidelityReading(
                        first.statement(), null, 2, 1, 1, 0L, 0, 3, Map.of("DEBUG_CLOSED", 0L), TapGaps.NONE));
        assertThat(second.read())
                .isEqualTo(new FidelityReading(
                        "faithful up to exchange 1, lost 1 exchange, 7 bytes: OVERFLOW_LANE",
                        null,
                        1,
                        0,
                        1,
                        1L,
                        0,
                        0,
                        Map.of("OVERFLOW_LANE", 7L),
                        TapGaps.NONE));
        assertThat(listener.read())
                .isEqualTo(new FidelityReading(
                        listener.statement(),
                        null,
                        3,
                        1,
                        2,
                        0L,
                        0,
                        3,
                        Map.of("DEBUG_CLOSED", 0L, "OVERFLOW_LANE", 7L),
                        TapGaps.NONE));
    }

    @Test
    void gaps_leaveNothingFaithful_butSayWhatWasCopiedBeside() {
        Fidelity fidelity = new Fidelity(CopyState.LIVE);
        fidelity.follow(() -> new TapGaps(1, 3500, 0, 0, 12));
        fidelity.arrived();
        fidelity.delivered();
        assertThat(fidelity.statement())
                .isEqualTo("LIVE copy, not faithful: the lane process was started again 1 time;"
                        + " 3 500 bytes of connections that it hadn't seen begin; since then 1 of 1 exchanges");
        assertThat(fidelity.read().isFaithful()).isFalse();
        fidelity.follow(() -> new TapGaps(2, 0, 1, 3, 0));
        fidelity.lost(fidelity.arrived(), "OVERFLOW_RING");
        assertThat(fidelity.statement())
                .isEqualTo("LIVE copy, not faithful: the lane process was started again 2 times;"
                        + " 1 byte found no room in the rings; nothing of 3 connections found room in the rings;"
                        + " since then 1 of 2 exchanges, lost 1 exchange, 0 bytes: OVERFLOW_RING");
        assertThat(fidelity.ofConnection().statement()).isEqualTo("LIVE copy, faithful: 0 of 0 exchanges");
    }

    @Test
    void bytesWithoutRoom_areNotFaithful_alsoWhileNoLaneKnowsTheirConnection() {
        Fidelity fidelity = new Fidelity();
        fidelity.follow(() -> new TapGaps(0, 0, 7, 0, 0));
        assertThat(fidelity.statement())
                .isEqualTo("not faithful: 7 bytes found no room in the rings; otherwise 0 of 0 exchanges");
        fidelity.follow(() -> new TapGaps(0, 0, 7, 1, 0));
        assertThat(fidelity.statement())
                .isEqualTo("not faithful: 7 bytes found no room in the rings;"
                        + " nothing of 1 connection found room in the rings; otherwise 0 of 0 exchanges");
    }

    @Test
    void state_isPartOfTheStatement_alsoOfAConnection() {
        Fidelity live = new Fidelity(CopyState.LIVE);
        live.arrived();
        live.delivered();

        assertThat(live.statement()).isEqualTo("LIVE copy, faithful: 1 of 1 exchanges");
        assertThat(live.ofConnection().read().state()).isEqualTo(CopyState.LIVE);
        assertThat(live.ofConnection().statement()).startsWith("LIVE copy, faithful: ");
    }
}
