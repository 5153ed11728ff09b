package dev.understudy.divergence.compare.http;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.content.protobuf.ProtobufSchema;
import dev.understudy.divergence.identity.IdentityMap;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/** Held against what Google's own library reads. */
class ProtobufComparisonTest {
    private static final String TYPE = "application/x-protobuf; messageType=\"shop.Order\"";
    private static final FileDescriptorProto FILE = file();
    private static final Descriptor ORDER = descriptor();
    private static final ProtobufSchema SCHEMA = ProtobufSchema.read(
            FileDescriptorSet.newBuilder().addFile(FILE).build().toByteArray());

    private final IdentityMap identities = new IdentityMap(1000);

    @Test
    void message_isComparedFieldByField_byItsDescriptor() {
        byte[] ours = order("{id 7} {name tea} {size 1} {size 2} {stock a 1} {stock b 2} {raw x}")
                .toByteArray();
        byte[] theirs = order("{id 7} {name coffee} {size 1} {size 3} {stock b 2} {stock a 1} {raw y}")
                .toByteArray();

        assertThat(compare(TYPE, ours, theirs).differences())
                .filteredOn(difference -> difference.noise() == null)
                .extracting(Difference::path, Difference::production, Difference::debug)
                .containsExactlyInAnyOrder(
                        tuple("body.name", "\"tea\"", "\"coffee\""),
                        tuple("body.sizes[1]", "2", "3"),
                        tuple("body.raw.bytes", "\"hex 78\"", "\"hex 79\""));
        assertThat(compare(
                                TYPE,
                                ours,
                                order("{id 7} {name tea} {size 1} {size 2} {stock b 2} {stock a 1} {raw x}")
                                        .toByteArray())
                        .kind())
                .as("entries of a map in another order")
                .isEqualTo(VerdictKind.EQUIVALENT);
    }

    @Test
    void withoutADescriptor_fieldsAreComparedByNumber() {
        byte[] ours = order("{id 7} {name tea}").toByteArray();
        byte[] theirs = order("{id 8} {name tea}").toByteArray();

        assertThat(compare("application/x-protobuf", ours, theirs).differences())
                .filteredOn(difference -> difference.noise() == null)
                .extracting(Difference::path, Difference::production, Difference::debug)
                .containsExactly(tuple("body[\"#1\"][0]", "7", "8"));
        assertThat(compare(TYPE.replace("Order", "Unknown"), ours, theirs).kind())
                .isEqualTo(VerdictKind.DIFFERENT);
    }

    @Test
    void grpcMessages_areOfTheMethodsType_andTrailersCount() {
        byte[] ours = grpc(order("{id 7}").toByteArray(), order("{id 8}").toByteArray());
        byte[] theirs = grpc(order("{id 7}").toByteArray(), order("{id 9}").toByteArray());
        String type = "application/grpc-web+proto";

        assertThat(compare(type, ours, theirs).differences())
                .filteredOn(difference -> difference.noise() == null)
                .extracting(Difference::path)
                .containsExactly("body.messages[1].id");
        byte[] failed = Arrays.copyOf(ours, ours.length + 5 + 14);
        ByteBuffer.wrap(failed, ours.length, 19)
                .put((byte) 0x80)
                .putInt(14)
                .put("grpc-status:7\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(compare(type, ours, failed).differences())
                .filteredOn(difference -> difference.noise() == null)
                .extracting(Difference::path)
                .containsExactly("body.trailers");
        byte[] compressed = ours.clone();
        compressed[0] = 1;
        assertThat(compare(type, compressed, ours).kind()).isEqualTo(VerdictKind.DIFFERENT);
    }

    @Test
    void grpcMessages_thatAreCompressed_areComparedByWhatTheySay() throws IOException {
        String type = "application/grpc";
        byte[] plain = grpc(order("{id 7}").toByteArray());
        byte[] small = compressed(order("{id 7}").toByteArray(), Deflater.BEST_COMPRESSION);

        assertThat(compare(type, plain, small).kind()).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(compare(type, compressed(order("{id 8}").toByteArray(), Deflater.NO_COMPRESSION), small)
                        .differences())
                .filteredOn(difference -> difference.noise() == null)
                .extracting(Difference::path)
                .containsExactly("body.messages[0].id");
        byte[] bomb = compressed(new byte[64 << 20], Deflater.BEST_COMPRESSION);
        assertThat(compare(type, bomb, small).differences())
                .filteredOn(difference -> difference.noise() == null)
                .extracting(Difference::path)
                .containsExactly("body");
    }

    private static byte[] compressed(byte[] message, int level) throws IOException {
        ByteArrayOutputStream coded = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(coded) {
            {
                def.setLevel(level);
            }
        }) {
            gzip.write(message);
        }
        byte[] body = grpc(coded.toByteArray());
        body[0] = 1;
        return body;
    }

    @Test
    void verdict_agreesWithGooglesLibrary_onWhateverIsSent() {
        Random random = new Random(11);
        int alike = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] ours = random(random).toByteArray();
            byte[] theirs = ours.clone();
            for (int n = random.nextInt(3); n >= 0 && theirs.length > 0; n--) {
                theirs[random.nextInt(theirs.length)] ^= (byte) (1 << random.nextInt(8));
            }
            theirs = random.nextInt(10) == 0 ? Arrays.copyOf(theirs, random.nextInt(theirs.length + 1)) : theirs;
            for (String type : new String[] {TYPE, "application/x-protobuf", "application/grpc"}) {
                Verdict verdict = compare(type, ours, theirs);
                assertThat(verdict.reason()).as("round %d, %s", round, type).isNull();
                if (verdict.kind() != VerdictKind.DIFFERENT) {
                    alike++;
                    assertThat(read(theirs)).as("round %d, %s", round, type).isEqualTo(read(ours));
                }
            }
        }
        assertThat(alike).isPositive();
    }

    @Test
    void schema_thatIsNone_isRefused() {
        Random random = new Random(3);
        byte[] set = FileDescriptorSet.newBuilder().addFile(FILE).build().toByteArray();
        assertThatThrownBy(() -> ProtobufSchema.read(new byte[0])).isInstanceOf(IllegalArgumentException.class);
        for (int round = 0; round < 5000; round++) {
            byte[] broken = set.clone();
            broken[random.nextInt(broken.length)] = (byte) random.nextInt();
            try {
                ProtobufSchema.read(broken);
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageContaining("FileDescriptorSet");
            }
        }
    }

    private Verdict compare(String type, byte[] ours, byte[] theirs) {
        return new HttpComparison(ComparisonRules.defaults(), identities, SCHEMA)
                .compare("/shop.Shop/Find?x", reply(type, ours), reply(type, theirs));
    }

    private static HttpReply reply(String type, byte[] body) {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        String head = "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: " + body.length + "\r\n\r\n";
        wire.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        wire.writeBytes(body);
        return Replies.reply(wire.toByteArray(), Replies.NOON, 1 << 20);
    }

    private static byte[] grpc(byte[]... messages) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (byte[] message : messages) {
            body.writeBytes(
                    ByteBuffer.allocate(5).put((byte) 0).putInt(message.length).array());
            body.writeBytes(message);
        }
        return body.toByteArray();
    }

    /** What Google's library makes of it; the bytes themselves if nothing. */
    private static Object read(byte[] message) {
        try {
            return DynamicMessage.parseFrom(ORDER, message);
        } catch (InvalidProtocolBufferException malformed) {
            return ByteString.copyFrom(message);
        }
    }

    private static DynamicMessage random(Random random) {
        DynamicMessage.Builder order = DynamicMessage.newBuilder(ORDER);
        order.setField(field("id"), random.nextLong() >> random.nextInt(64));
        order.setField(field("name"), "n" + random.nextInt(100));
        order.setField(field("price"), random.nextGaussian());
        order.setField(field("delta"), random.nextInt());
        order.setField(
                field("status"), ORDER.getFile().findEnumTypeByName("Status").findValueByNumber(random.nextInt(2)));
        for (int n = random.nextInt(3); n > 0; n--) {
            order.addRepeatedField(field("sizes"), random.nextInt(300));
            order.addRepeatedField(field("parts"), random.nextBoolean() ? random(random) : order.build());
            stock(order, "s" + n, random.nextInt());
        }
        return order.build();
    }

    private static void stock(DynamicMessage.Builder order, String key, int value) {
        Descriptor entry = field("stock").getMessageType();
        order.addRepeatedField(
                field("stock"),
                DynamicMessage.newBuilder(entry)
                        .setField(entry.findFieldByNumber(1), key)
                        .setField(entry.findFieldByNumber(2), value)
                        .build());
    }

    private static DynamicMessage order(String parts) {
        DynamicMessage.Builder order = DynamicMessage.newBuilder(ORDER);
        for (String part : parts.substring(1, parts.length() - 1).split("} \\{", -1)) {
            String[] words = part.split(" ", -1);
            switch (words[0]) {
                case "id" -> order.setField(field("id"), Long.parseLong(words[1]));
                case "name" -> order.setField(field("name"), words[1]);
                case "size" -> order.addRepeatedField(field("sizes"), Integer.parseInt(words[1]));
                case "raw" -> order.setField(field("raw"), ByteString.copyFromUtf8(words[1]));
                default -> stock(order, words[1], Integer.parseInt(words[2]));
            }
        }
        return order.build();
    }

    private static FieldDescriptor field(String name) {
        return ORDER.findFieldByName(name);
    }

    private static Descriptor descriptor() {
        try {
            return FileDescriptor.buildFrom(FILE, new FileDescriptor[0]).findMessageTypeByName("Order");
        } catch (com.google.protobuf.Descriptors.DescriptorValidationException wrong) {
            throw new IllegalStateException(wrong);
        }
    }

    private static FileDescriptorProto file() {
        DescriptorProto entry = DescriptorProto.newBuilder()
                .setName("StockEntry")
                .addField(declared("key", 1, FieldDescriptorProto.Type.TYPE_STRING, Label.LABEL_OPTIONAL))
                .addField(declared("value", 2, FieldDescriptorProto.Type.TYPE_INT32, Label.LABEL_OPTIONAL))
                .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                .build();
        DescriptorProto order = DescriptorProto.newBuilder()
                .setName("Order")
                .addField(declared("id", 1, FieldDescriptorProto.Type.TYPE_INT64, Label.LABEL_OPTIONAL))
                .addField(declared("name", 2, FieldDescriptorProto.Type.TYPE_STRING, Label.LABEL_OPTIONAL))
                .addField(declared("sizes", 3, FieldDescriptorProto.Type.TYPE_INT32, Label.LABEL_REPEATED))
                .addField(declared("parts", 4, FieldDescriptorProto.Type.TYPE_MESSAGE, Label.LABEL_REPEATED)
                        .setTypeName(".shop.Order"))
                .addField(declared("stock", 5, FieldDescriptorProto.Type.TYPE_MESSAGE, Label.LABEL_REPEATED)
                        .setTypeName(".shop.Order.StockEntry"))
                .addField(declared("status", 6, FieldDescriptorProto.Type.TYPE_ENUM, Label.LABEL_OPTIONAL)
                        .setTypeName(".shop.Status"))
                .addField(declared("raw", 7, FieldDescriptorProto.Type.TYPE_BYTES, Label.LABEL_OPTIONAL))
                .addField(declared("price", 8, FieldDescriptorProto.Type.TYPE_DOUBLE, Label.LABEL_OPTIONAL))
                .addField(declared("delta", 9, FieldDescriptorProto.Type.TYPE_SINT32, Label.LABEL_OPTIONAL))
                .addNestedType(entry)
                .build();
        return FileDescriptorProto.newBuilder()
                .setName("shop.proto")
                .setPackage("shop")
                .setSyntax("proto3")
                .addMessageType(order)
                .addEnumType(EnumDescriptorProto.newBuilder()
                        .setName("Status")
                        .addValue(EnumValueDescriptorProto.newBuilder()
                                .setName("OPEN")
                                .setNumber(0))
                        .addValue(EnumValueDescriptorProto.newBuilder()
                                .setName("PAID")
                                .setNumber(1)))
                .addService(ServiceDescriptorProto.newBuilder()
                        .setName("Shop")
                        .addMethod(MethodDescriptorProto.newBuilder()
                                .setName("Find")
                                .setInputType(".shop.Order")
                                .setOutputType(".shop.Order")))
                .build();
    }

    private static FieldDescriptorProto.Builder declared(
            String name, int number, FieldDescriptorProto.Type type, Label label) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setType(type)
                .setLabel(label);
    }
}
