package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RowsTest {
    @Test
    void rows_ofAnyNumberAndLength_areTheSameMessages() {
        Random random = new Random(7);
        for (int run = 0; run < 200; run++) {
            List<PgMessage> messages = new ArrayList<>();
            int count = random.nextInt(5);
            for (int i = 0; i < count; i++) {
                byte[] body = new byte[random.nextInt(3) * random.nextInt(40)];
                random.nextBytes(body);
                messages.add(new PgMessage('D', body));
            }

            List<PgMessage> rows = PgRecordedRows.of(messages);

            assertThat(rows).as("run %d", run).isEqualTo(messages).hasSize(count);
            for (int i = count - 1; i >= 0; i--) {
                assertThat(rows.get(i)).as("run %d, row %d", run, i).isEqualTo(messages.get(i));
            }
            assertThatThrownBy(() -> rows.get(count)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void otherMessages_keepTheirTypes() {
        List<PgMessage> messages = List.of(new PgMessage('D', new byte[] {1}), new PgMessage('N', new byte[] {2}));

        assertThat(PgRecordedRows.of(messages)).extracting(PgMessage::type).containsExactly('D', 'N');
    }
}
