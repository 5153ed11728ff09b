package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ShelvesTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 40, 3_000})
    void shelves_areThoseThatAMapWouldHave(int forms) {
        Random random = new Random(forms);
        ReplyIndex<Text> shelves = new ReplyIndex<>();
        Map<Form, ReplyQueue<Text>> model = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            Form form = Form.of("GET", "GET " + random.nextInt(forms));
            switch (random.nextInt(5)) {
                case 0 -> {
                    shelves.remove(form);
                    model.remove(form);
                }
                case 1 -> assertThat(shelves.get(form)).isSameAs(model.get(form));
                default -> {
                    ReplyQueue<Text> shelf = shelves.of(form);
                    assertThat(shelf.form()).isEqualTo(form);
                    assertThat(shelf).isSameAs(model.computeIfAbsent(form, first -> shelf));
                }
            }
        }
        for (int i = 0; i < forms; i++) {
            Form form = Form.of("GET", "GET " + i);
            assertThat(shelves.get(form)).isSameAs(model.get(form));
        }
    }
}
