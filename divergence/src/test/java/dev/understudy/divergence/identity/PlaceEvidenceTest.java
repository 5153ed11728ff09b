package dev.understudy.divergence.identity;

import dev.understudy.divergence.identity.PlaceEvidence.Standing;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PlaceEvidenceTest {
    private final PlaceEvidence evidence = new PlaceEvidence();

    @Test
    void standing_followsWhatWasSeen() {
        assertThat(evidence.of(1)).isEqualTo(Standing.UNKNOWN);
        for (int i = 0; i < 3; i++) {
            evidence.differed(7, 1);
        }
        assertThat(evidence.of(1)).isEqualTo(Standing.MADE_UP);
        evidence.agreed(1);
        assertThat(evidence.of(1)).isEqualTo(Standing.COMMON);
        for (int i = 0; i < 17; i++) {
            evidence.differed(7, 1);
        }
        assertThat(evidence.of(1)).isEqualTo(Standing.MADE_UP);
    }

    @Test
    void placesAndRoutes_areBounded_andThoseInUseStay() {
        for (long place = 1; place <= 100_000; place++) {
            evidence.agreed(place);
            evidence.of(1);
            evidence.wantsEqual(place);
        }
        assertThat(evidence.of(1)).isEqualTo(Standing.COMMON);
        assertThat(evidence.of(2)).isEqualTo(Standing.UNKNOWN);
        assertThat(evidence.of(100_000)).isEqualTo(Standing.COMMON);
        assertThat(evidence.places()).isEqualTo(4096);
        assertThat(evidence.routes()).isEqualTo(512);
    }

    @Test
    void equalReplies_areWantedOftenAtFirst_thenRarely_andOftenAgainAfterADifference() {
        int wanted = 0;
        for (int i = 0; i < 1664; i++) {
            wanted += evidence.wantsEqual(7) ? 1 : 0;
        }
        assertThat(wanted).isEqualTo(64 + 25);
        evidence.differed(7, 1);
        for (int i = 0; i < 64; i++) {
            assertThat(evidence.wantsEqual(7)).isTrue();
        }
    }
}
