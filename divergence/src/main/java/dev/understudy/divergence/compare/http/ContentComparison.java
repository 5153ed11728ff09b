package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.compare.value.JsonComparison;
import dev.understudy.divergence.compare.value.JsonLockstep;
import dev.understudy.divergence.compare.value.Outline;
import dev.understudy.divergence.compare.value.SameShapeJson;
import dev.understudy.divergence.compare.value.TextComparison;
import dev.understudy.divergence.content.FormText;
import dev.understudy.divergence.content.JsonText;
import dev.understudy.divergence.content.JsonValue;
import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.content.XmlElement;
import dev.understudy.divergence.content.XmlText;
import dev.understudy.divergence.identity.IdentityDraft;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares two contents that are held, of a body or of a part of it, by what their type says they are. */
final class ContentComparison {
    private static final String CHARSET = "charset";

    private final String path;
    private final ComparisonRules rules;
    private final ProtobufBodies protobuf;
    private final IdentityDraft identities;
    private final ValueNoise noise;
    private final Differences differences;

    /** @param path of the contents, with which the paths of their differences begin */
    ContentComparison(
            String path,
            ComparisonRules rules,
            ProtobufBodies protobuf,
            IdentityDraft identities,
            ValueNoise noise,
            Differences differences) {
        this.path = path;
        this.rules = rules;
        this.protobuf = protobuf;
        this.identities = identities;
        this.noise = noise;
        this.differences = differences;
    }

    /** Whether both could be read exactly; if not, nothing is known but that their bytes differ. */
    boolean compare(@Nullable MediaType type, @Nullable MediaType other, byte[] ours, byte[] theirs) {
        boolean sameType =
                type == null ? other == null : other != null && type.type().equals(other.type());
        return sameType
                && (json(type, ours, theirs)
                        || xml(type, other, ours, theirs)
                        || form(type, ours, theirs)
                        || protobuf(type, other, ours, theirs)
                        || multipart(type, other, ours, theirs)
                        || text(type, other, ours, theirs));
    }

    /** Differing contents of one part of a body. One that is in parts itself is compared by its bytes. */
    void part(String place, @Nullable MediaType type, @Nullable MediaType other, byte[] ours, byte[] theirs) {
        Differences found = new Differences(rules);
        boolean nested = type != null && type.isMultipart();
        boolean empty = ours.length == 0 || theirs.length == 0;
        boolean read = !nested
                && !empty
                && new ContentComparison(place, rules, protobuf, identities, noise, found)
                        .compare(type, other, ours, theirs);
        if (!read || found.isEmpty()) {
            int at = Arrays.mismatch(ours, theirs);
            Difference.Type how = ours.length == theirs.length ? Difference.Type.VALUE : Difference.Type.LENGTH;
            String where = ", differs at byte " + at;
            differences.real(
                    place, how, BodyComparison.size(ours.length) + where, BodyComparison.size(theirs.length) + where);
        } else {
            differences.addAll(found);
        }
    }

    private boolean multipart(@Nullable MediaType type, @Nullable MediaType other, byte[] ours, byte[] theirs) {
        if (type == null || !type.isMultipart() || !type.equals(other)) {
            return false;
        }
        Differences found = new Differences(rules);
        boolean read = new MultipartComparison(this, found).compare(path, type, ours, theirs);
        differences.addAll(found);
        return read;
    }

    private boolean json(@Nullable MediaType type, byte[] ours, byte[] theirs) {
        if (type != null && !type.isJson()) {
            return false;
        }
        Differences twins = new Differences(rules);
        if (SameShapeJson.compare(path, identities, noise, twins, ours, theirs)) {
            differences.addAll(twins);
            return true;
        }
        Differences found = new Differences(rules);
        if (JsonLockstep.compare(path, identities, noise, found, ours, theirs)) {
            if (found.isEmpty()) {
                found.noise(
                        path,
                        Difference.Type.ENCODING,
                        BodyComparison.size(ours.length),
                        BodyComparison.size(theirs.length),
                        Noise.CONTENT_FORM);
            }
            differences.addAll(found);
            return true;
        }
        JsonValue production = JsonText.parseExtended(ours);
        JsonValue debug = JsonText.parseExtended(theirs);
        if (production == null || debug == null) {
            if (type != null && (production == null) != (debug == null)) { // whatever else is said of their text
                differences.real(path, Difference.Type.ENCODING, wellFormed(production), wellFormed(debug));
            }
            return false;
        }
        values(production, debug, ours.length, theirs.length);
        return true;
    }

    private static String wellFormed(@Nullable JsonValue read) {
        return read == null ? "malformed JSON" : "JSON";
    }

    private boolean xml(@Nullable MediaType type, @Nullable MediaType other, byte[] ours, byte[] theirs) {
        if (type == null || other == null || !type.isXml()) {
            return false;
        }
        XmlElement production = XmlText.parse(ours, type.parameters().get(CHARSET));
        XmlElement debug = production == null
                ? null
                : XmlText.parse(theirs, other.parameters().get(CHARSET));
        if (production == null || debug == null) {
            return false;
        }
        List<JsonValue> both = Outline.of(production, debug);
        values(both.get(0), both.get(1), ours.length, theirs.length);
        return true;
    }

    private boolean form(@Nullable MediaType type, byte[] ours, byte[] theirs) {
        if (type == null || !type.isForm()) {
            return false;
        }
        Map<String, List<String>> production = FormText.parse(ours);
        Map<String, List<String>> debug = production == null ? null : FormText.parse(theirs);
        if (production == null || debug == null) {
            return false;
        }
        List<JsonValue> both = Outline.of(production, debug);
        values(both.get(0), both.get(1), ours.length, theirs.length);
        return true;
    }

    private boolean protobuf(@Nullable MediaType type, @Nullable MediaType other, byte[] ours, byte[] theirs) {
        if (type == null || other == null || !ProtobufBodies.agree(type, other)) {
            return false;
        }
        JsonValue production = protobuf.read(type, ours);
        JsonValue debug = production == null ? null : protobuf.read(other, theirs);
        if (production == null || debug == null) {
            return false;
        }
        values(production, debug, ours.length, theirs.length);
        return true;
    }

    private void values(JsonValue production, JsonValue debug, int ours, int theirs) {
        if (!new JsonComparison(identities, noise, differences).compare(path, production, debug)) {
            differences.noise(
                    path,
                    Difference.Type.ENCODING,
                    BodyComparison.size(ours),
                    BodyComparison.size(theirs),
                    Noise.CONTENT_FORM);
        }
    }

    private boolean text(@Nullable MediaType type, @Nullable MediaType other, byte[] ours, byte[] theirs) {
        Charset charset = type == null ? null : type.charset();
        if (type == null || other == null || charset == null || !charset.equals(other.charset())) {
            return false;
        }
        if (!type.isText() && !type.isJson()) {
            return false;
        }
        String production = JsonText.decode(ours, charset);
        String debug = JsonText.decode(theirs, charset);
        if (production == null || debug == null || production.equals(debug)) {
            return false;
        }
        new TextComparison(identities, noise, differences, path).compare(production, debug);
        return true;
    }
}
