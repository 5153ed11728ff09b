package dev.understudy.standin.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.standin.value.ValueModel.ArrayModel;
import dev.understudy.standin.value.ValueModel.ChoiceModel;
import dev.understudy.standin.value.ValueModel.MapModel;
import dev.understudy.standin.value.ValueModel.Member;
import dev.understudy.standin.value.ValueModel.NumberModel;
import dev.understudy.standin.value.ValueModel.ObjectModel;
import dev.understudy.standin.value.ValueModel.TextModel;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ValueLearnerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int DOCUMENTS = 200;

    private static ValueModel learned(String... documents) throws IOException {
        ValueLearner learner = new ValueLearner();
        for (String document : documents) {
            learner.add(JSON.readTree(document));
        }
        return learner.model();
    }

    @Test
    void members_haveTheirShare() throws IOException {
        ObjectModel object = (ObjectModel) learned("{\"a\":1,\"b\":2}", "{\"a\":3}", "{\"a\":1}", "{\"a\":1,\"b\":7}");
        assertThat(object.members()).extracting(Member::name).containsExactly("a");
        // b was seen twice: too seldom to be known as no data
        ObjectModel more =
                (ObjectModel) learned("{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":2}", "{\"a\":1}");
        assertThat(more.members()).extracting(Member::share).containsExactly(1.0, 0.75);
    }

    @Test
    void namesThatAreData_leaveNoName() throws IOException {
        for (String name : new String[] {"alice@example.com", "order-12345", "Alice Smith", "0ab"}) {
            ValueModel model = learned("{\"" + name + "\":1}", "{\"" + name + "\":2}", "{\"" + name + "\":3}");
            assertThat(model).isInstanceOf(MapModel.class);
            assertThat(model.toString()).doesNotContain(name);
        }
    }

    @Test
    void manyNames_areAMap() throws IOException {
        StringBuilder wide = new StringBuilder("{\"first\":1");
        for (char a = 'a'; a <= 'j'; a++) {
            for (char b = 'a'; b <= 'j'; b++) {
                wide.append(",\"x").append(a).append(b).append("\":1");
            }
        }
        assertThat(learned(wide + "}")).isInstanceOf(MapModel.class);
    }

    @Test
    void namesThatDifferFromObjectToObject_areAMap() throws IOException {
        ValueLearner learner = new ValueLearner();
        for (int i = 0; i < 40; i++) {
            learner.add(JSON.readTree("{\"user" + (char) ('a' + i % 20) + "\":{\"age\":" + i + "}}"));
        }
        assertThat(learner.model()).isInstanceOf(MapModel.class);
    }

    @Test
    void numbers_haveARangeThatIsNoneOfThem() throws IOException {
        NumberModel number = (NumberModel) learned("4711.25", "8123.5", "5000");
        assertThat(number.from()).isEqualTo(4700);
        assertThat(number.to()).isEqualTo(8200);
        assertThat(number.decimals()).isEqualTo(2);
        assertThat(number.distinct()).isEqualTo(3);
    }

    @Test
    void kindsThatDiffer_areAChoice() throws IOException {
        assertThat(learned("1", "\"x\"", "null", "true")).isInstanceOf(ChoiceModel.class);
        assertThat(learned("[1,2]", "[3]")).isInstanceOf(ArrayModel.class);
    }

    @Test
    void texts_areKnownByTheirCharacters() throws IOException {
        assertThat(((TextModel) learned("\"4711\"")).alphabet()).isEqualTo(Alphabet.DIGITS);
        assertThat(((TextModel) learned("\"2026-11-28T10:00:00Z\"")).alphabet()).isEqualTo(Alphabet.TIME);
        assertThat(((TextModel) learned("\"6f9619ff-8b86-d011-b42d-00cf4fc964ff\"")).alphabet())
                .isEqualTo(Alphabet.UUID);
        assertThat(((TextModel) learned("\"4711\"", "\"two words\"")).alphabet())
                .isEqualTo(Alphabet.WORDS);
    }

    @Test
    void madeValues_haveTheShapeThatWasLearned() throws IOException {
        ValueLearner learner = new ValueLearner();
        for (int i = 0; i < DOCUMENTS; i++) {
            learner.add(JSON.readTree(
                    "{\"id\":" + i + ",\"state\":\"" + (i % 3 == 0 ? "open" : "paid") + "\",\"items\":[{\"price\":"
                            + (i / 100.0) + "}],\"note\":" + (i % 2 == 0 ? "null" : "\"n\"") + "}"));
        }
        ValueModel model = learner.model();
        ValueLearner again = new ValueLearner();
        Set<String> states = new HashSet<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            JsonNode made = new ValueMaker(new SplittableRandom(i)).make(model);
            assertThat(made.get("id").isIntegralNumber()).isTrue();
            assertThat(made.get("items").get(0).get("price").decimalValue().scale())
                    .isEqualTo(2);
            states.add(made.get("state").textValue());
            again.add(made);
        }
        assertThat(states).hasSize(2);
        assertThat(model.toString()).doesNotContain("open").doesNotContain("paid");
        assertThat(((ObjectModel) again.model()).members())
                .extracting(Member::name)
                .containsExactly("id", "state", "items", "note");
    }

    @Test
    void theSameRandomNumbers_makeTheSameValue() throws IOException {
        ValueModel model = learned("{\"a\":[1,2,\"x\"],\"b\":{\"c\":\"2026-11-28\"}}");
        assertThat(new ValueMaker(new SplittableRandom(7)).make(model))
                .isEqualTo(new ValueMaker(new SplittableRandom(7)).make(model));
    }

    @Test
    void deepDocuments_endAtABound() throws IOException {
        String deep = "[".repeat(400) + "]".repeat(400);
        ValueModel model = learned(deep);
        assertThat(new ValueMaker(new SplittableRandom(1)).make(model).toString())
                .startsWith("[[")
                .contains("null");
    }

    @Test
    void arraysOfArrays_endAtABound() {
        ValueModel model = new ArrayModel(
                Quantiles.always(1000),
                new ArrayModel(
                        Quantiles.always(1000), new ArrayModel(Quantiles.always(1000), new ValueModel.NullModel())));
        assertThat(new ValueMaker(new SplittableRandom(1))
                        .make(model)
                        .toString()
                        .length())
                .isLessThan(10 * ValueMaker.MOST_VALUES);
    }

    @Test
    void quantiles_giveBackWhatTheyWereMadeOf() {
        double[] samples = new double[10_001];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = i;
        }
        Quantiles quantiles = Quantiles.of(samples);
        for (double share : new double[] {0, 0.1, 0.5, 0.95, 0.99, 1}) {
            assertThat(quantiles.at(share)).isBetween(share * 10_000 - 1, share * 10_000 + 1);
        }
        assertThat(quantiles.mean()).isBetween(4990.0, 5010.0);
    }
}
