package dev.understudy.sidecar.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ExecutionReaderTest {
    private static final long SEED = 31;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    @Test
    void calls_areATreeForEachThread() throws Exception {
        ExecutionTree tree = ExecutionReader.read(JSON.readTree("""
                {"name":"agent-1","trace":"0123456789abcdef0123456789abcdef","left":0,
                 "methods":["com.shop.Cart#total","com.shop.Cart#add(Item)"],
                 "threads":[{"name":"http-1","events":[
                   ["e",0,"Cart","3","\\"EUR\\""],["e",1,"Cart","Item{id=7}"],["r",1],["r",0,"12.50"]]},
                  {"name":"pool-2","events":[["e",0,""],["t",0,"IllegalStateException: \\"no\\""]]}]}
                """));

        assertThat(tree.agent()).isEqualTo("agent-1");
        assertThat(tree.trace()).isEqualTo("0123456789abcdef0123456789abcdef");
        assertThat(tree.threads()).extracting(ExecutionTree.CallThread::name).containsExactly("http-1", "pool-2");
        ExecutionCall total = tree.thread(0).roots().get(0);
        assertThat(total.method()).isEqualTo("com.shop.Cart#total");
        assertThat(total.inputs()).containsExactly("this: Cart", "3", "\"EUR\"");
        assertThat(total.outcome()).isEqualTo(CallOutcome.returned("12.50"));
        assertThat(total.end()).isEqualTo(3);
        assertThat(total.children()).extracting(ExecutionCall::method).containsExactly("com.shop.Cart#add(Item)");
        assertThat(total.children().get(0).outcome()).isEqualTo(CallOutcome.VOID);
        ExecutionCall other = tree.thread(1).roots().get(0);
        assertThat(other.inputs()).isEmpty();
        assertThat(other.outcome()).isEqualTo(CallOutcome.threw("IllegalStateException: \"no\""));
        assertThat(other.beginning()).isEqualTo(4);
    }

    @Test
    void theEndOfAnOuterCall_endsThoseInsideIt() {
        ExecutionTree tree = ExecutionScript.execution(
                "e|A#a|A", "e|B#new|", "e|C#new|", "t|A#a|E: 1", "e|A#next|A", "r|A#next|2", "e|A#cut|A");

        assertThat(tree.thread(0).roots()).extracting(ExecutionCall::method).containsExactly("A#a", "A#next", "A#cut");
        ExecutionCall inner = tree.thread(0).roots().get(0).children().get(0);
        assertThat(inner.outcome()).isEqualTo(CallOutcome.UNKNOWN);
        assertThat(inner.end()).isEqualTo(3);
        assertThat(inner.children()).hasSize(1);
        assertThat(tree.thread(0).roots().get(2).outcome()).isEqualTo(CallOutcome.UNKNOWN);
        assertThat(tree.thread(0).roots().get(2).end()).isEqualTo(7);
    }

    @Test
    void anEndWithoutItsCall_isLeftOut() {
        ExecutionTree tree = ExecutionScript.execution("e|A#a|A", "r|B#b|1", "r|A#a|2", "r|A#a|3");

        assertThat(tree.thread(0).roots()).hasSize(1);
        assertThat(tree.thread(0).roots().get(0).outcome()).isEqualTo(CallOutcome.returned("2"));
    }

    @Test
    void ofTwoOpenCallsOfAMethod_theInnerOneEndsFirst() {
        ExecutionTree tree = ExecutionScript.execution("e|A#a|A|1", "e|A#a|A|2", "r|A#a|3", "r|A#a|4");

        ExecutionCall outer = tree.thread(0).roots().get(0);
        assertThat(outer.outcome()).isEqualTo(CallOutcome.returned("4"));
        assertThat(outer.children().get(0).outcome()).isEqualTo(CallOutcome.returned("3"));
    }

    @Test
    void whatIsWrong_isToldWithItsPlace() {
        assertRefused(NODES.nullNode(), "execution: (expected: an object)");
        assertRefused(valid().put("name", ""), "name: (expected: a name)");
        assertRefused(valid().put("name", "x".repeat(501)), "name: (expected: a text of at most 500 characters)");
        assertRefused(valid().put("trace", "0123456789ABCDEF".repeat(2)), "trace: (expected: 32 hexadecimal digits)");
        assertRefused(valid().put("trace", 7), "trace: (expected: a text of at most 500 characters)");
        String number = "left: (expected: a number of events, from 0 on)";
        assertRefused(valid().put("left", -1), number);
        assertRefused(valid().put("left", 1.5), number);
        assertRefused(valid().put("left", BigInteger.ONE.shiftLeft(64)), number);
        ObjectNode many = valid();
        many.set("methods", texts(ExecutionReader.MOST_METHODS + 1));
        assertRefused(many, "methods: (expected: an array of 0 to 8192 elements)");
        ObjectNode unnamed = valid();
        unnamed.putArray("methods").add("A#a").addNull();
        assertRefused(unnamed, "methods[1]: (expected: a text of at most 500 characters)");
        ObjectNode wide = valid();
        wide.set("threads", texts(ExecutionReader.MOST_THREADS + 1));
        assertRefused(wide, "threads: (expected: an array of 0 to 64 elements)");
        assertRefused(valid().put("threads", "x"), "threads: (expected: an array of 0 to 64 elements)");
        ObjectNode thread = valid();
        thread.putArray("threads").addObject().put("name", "x".repeat(501));
        assertRefused(thread, "threads[0].name: (expected: a text of at most 500 characters)");
    }

    @Test
    void whatIsWrongInAnEvent_isToldWithItsPlace() {
        String at = "threads[0].events[1]";
        assertEventRefused(NODES.objectNode(), at + ": (expected: an array of 2 to 258 elements)");
        assertEventRefused(event("e"), at + ": (expected: an array of 2 to 258 elements)");
        assertEventRefused(event("x", 0), at + "[0]: (expected: e, r or t)");
        assertEventRefused(event(0, 0), at + "[0]: (expected: a text of at most 500 characters)");
        String method = at + "[1]: (expected: the index of one of 1 methods)";
        assertEventRefused(event("r", 1), method);
        assertEventRefused(event("r", -1), method);
        assertEventRefused(event("r", "0"), method);
        assertEventRefused(event("r", 0.5), method);
        assertEventRefused(event("r", 1L << 32), method);
        assertEventRefused(event("e", 0), at + "[2]: (expected: the receiver's class, or an empty text)");
        assertEventRefused(event("e", 0, 1), at + "[2]: (expected: a text of at most 500 characters)");
        assertEventRefused(
                event("e", 0, "A", "x".repeat(501)), at + "[3]: (expected: a text of at most 500 characters)");
        assertEventRefused(event("r", 0, "1", "2"), at + "[3]: (expected: nothing after what was returned)");
        assertEventRefused(event("t", 0), at + ": (expected: what was thrown, as one text)");
        assertEventRefused(event("t", 0, "1", "2"), at + ": (expected: what was thrown, as one text)");
    }

    @Test
    void eventsOfAllThreads_areBoundedTogether() {
        ExecutionScript script = new ExecutionScript();
        String[] most = new String[ExecutionReader.MOST_EVENTS - 1];
        for (int i = 0; i < most.length; i++) {
            most[i] = "r|A#a";
        }

        assertThat(script.thread(most).thread("r|A#a").tree().threads()).hasSize(2);
        assertRefused(script.thread("r|A#a").json(), "threads[2].events: (expected: an array of 0 to 0 elements)");
    }

    /** Valid executions in which something at random is replaced, added or left out. */
    @Test
    void anythingElse_isRefusedInOneWay() {
        Random random = new Random(SEED);
        int refused = 0;
        for (int round = 0; round < 5_000; round++) {
            ObjectNode execution = RandomExecution.script(random, 12).json();
            for (int n = random.nextInt(3); n >= 0; n--) {
                mutate(random, execution);
            }
            try {
                ExecutionTree tree = ExecutionReader.read(execution);
                assertThat(ExecutionDiff.of(tree, tree).partings())
                        .as("seed %d, round %d", SEED, round)
                        .isEmpty();
            } catch (IllegalArgumentException expected) {
                assertThat(expected)
                        .as("seed %d, round %d", SEED, round)
                        .isExactlyInstanceOf(IllegalArgumentException.class)
                        .hasMessageMatching("(?s)[\\w.\\[\\]]+: \\(expected: .+\\)");
                refused++;
            }
        }

        assertThat(refused).isBetween(1_000, 4_900);
    }

    private static void mutate(Random random, ObjectNode root) {
        List<JsonNode> containers = new ArrayList<>();
        containers.add(root);
        for (int i = 0; i < containers.size(); i++) {
            for (JsonNode child : containers.get(i)) {
                if (child.isContainerNode()) {
                    containers.add(child);
                }
            }
        }
        JsonNode chosen = containers.get(random.nextInt(containers.size()));
        if (chosen instanceof ArrayNode array) {
            int index = random.nextInt(array.size() + 1);
            if (random.nextBoolean() || index == array.size()) {
                array.insert(index, junk(random));
            } else if (random.nextBoolean()) {
                array.set(index, junk(random));
            } else {
                array.remove(index);
            }
        } else if (chosen instanceof ObjectNode object && !object.isEmpty()) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            String name = names.get(random.nextInt(names.size()));
            if (random.nextBoolean()) {
                object.set(name, junk(random));
            } else {
                object.remove(name);
            }
        }
    }

    private static JsonNode junk(Random random) {
        return switch (random.nextInt(10)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(true);
            case 2 -> NODES.numberNode(random.nextInt());
            case 3 -> NODES.numberNode(BigInteger.TEN.pow(30));
            case 4 -> NODES.numberNode(Double.NaN);
            case 5 -> NODES.textNode("x".repeat(random.nextInt(1_000)));
            case 6 -> NODES.arrayNode().add(NODES.arrayNode());
            case 7 -> NODES.objectNode().put("name", "x");
            case 8 -> NODES.textNode("t");
            default -> NODES.numberNode(random.nextInt(5) - 1);
        };
    }

    private static ObjectNode valid() {
        return new ExecutionScript().thread("e|A#a|A").json();
    }

    private static ArrayNode texts(int count) {
        ArrayNode texts = NODES.arrayNode();
        for (int i = 0; i < count; i++) {
            texts.add("x");
        }
        return texts;
    }

    private static ArrayNode event(Object... parts) {
        return JSON.valueToTree(parts);
    }

    private static void assertEventRefused(JsonNode event, String message) {
        ObjectNode execution = valid();
        ((ArrayNode) execution.path("threads").path(0).path("events")).add(event);
        assertRefused(execution, message);
    }

    private static void assertRefused(JsonNode execution, String message) {
        assertThatThrownBy(() -> ExecutionReader.read(execution))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
