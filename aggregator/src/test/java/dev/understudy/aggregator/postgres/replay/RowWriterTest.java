package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.aggregator.postgres.exchange.PgTransaction;
import dev.understudy.aggregator.postgres.exchange.QueryStep;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import dev.understudy.divergence.wire.postgres.value.TextStyle;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RowWriterTest {
    @ParameterizedTest
    @CsvSource({"SELECT 50, SELECT 3", "INSERT 0 50, INSERT 0 3", "CREATE TABLE, CREATE TABLE"})
    void end_countsTheRowsOfItsOwnFetch(String recorded, String told) {
        PgMessage end = new PgWriter().string(recorded).toMessage('C');
        PgResult result = new PgResult(
                List.of(new Column("a", 0, (short) 0, 25, (short) -1, -1)),
                Formats.TEXT,
                List.of(),
                List.of(),
                end,
                null,
                TextStyle.DEFAULT,
                PgTransaction.OF_ITS_OWN,
                null,
                QueryStep.EXECUTE);

        PgMessage written = new RowWriter(result, Formats.TEXT, TextStyle.DEFAULT).end(3);

        assertThat(written.type()).isEqualTo('C');
        assertThat(written.reader().string()).isEqualTo(told);
    }
}
