package dev.understudy.sidecar.reduce;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.sidecar.reduce.InputPart.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The ways to take requests of HTTP apart, apart from their JSON. */
final class HttpDimensions {
    private static final Pattern COOKIES = Pattern.compile(";\\s*");

    /** Bodies of no known kind are cut into at most so many pieces at a time. */
    private static final int PIECES = 64;

    private HttpDimensions() {}

    /** Coarse ones first. */
    static List<Dimension> all() {
        return List.of(
                new Parts<>(
                        "earlier requests",
                        HttpInput::earlier,
                        (input, kept) -> new HttpInput(kept, input.last()),
                        HttpDimensions::earlier),
                of("headers", HttpDimensions::removable, HttpDimensions::withRemovable, HttpDimensions::header),
                of(
                        "cookies",
                        HttpDimensions::cookies,
                        HttpDimensions::withCookies,
                        pair -> InputPart.pair(Kind.COOKIE, pair)),
                of("parameters", HttpCall::query, HttpCall::withQuery, pair -> InputPart.pair(Kind.PARAMETER, pair)),
                of("form fields", HttpCall::form, HttpCall::withForm, pair -> InputPart.pair(Kind.FORM_FIELD, pair)),
                of("pieces of the body", HttpDimensions::pieces, HttpDimensions::withPieces, InputPart::piece));
    }

    private static <P> Dimension of(
            String name,
            Function<HttpCall, List<P>> parts,
            BiFunction<HttpCall, List<P>, HttpCall> with,
            Function<P, InputPart> described) {
        return new Parts<>(
                name,
                input -> parts.apply(input.last()),
                (input, kept) -> input.with(with.apply(input.last(), kept)),
                described);
    }

    private static InputPart earlier(HttpCall call) {
        return new InputPart(
                Kind.EARLIER_REQUEST, call.head().method(), call.head().target());
    }

    private static InputPart header(PlacedHeader placed) {
        return new InputPart(
                Kind.HEADER, placed.header().name(), placed.header().value());
    }

    /** A header and its place: the same one may stand there twice. */
    private record PlacedHeader(int place, Header header) {}

    private static List<PlacedHeader> removable(HttpCall call) {
        List<Header> all = call.head().headers();
        return IntStream.range(0, all.size())
                .mapToObj(place -> new PlacedHeader(place, all.get(place)))
                .filter(placed -> !stays(placed.header()))
                .toList();
    }

    private static HttpCall withRemovable(HttpCall call, List<PlacedHeader> kept) {
        Set<Integer> places = kept.stream().map(PlacedHeader::place).collect(Collectors.toSet());
        List<Header> all = call.head().headers();
        return call.withHeaders(IntStream.range(0, all.size())
                .filter(place -> places.contains(place) || stays(all.get(place)))
                .mapToObj(all::get)
                .toList());
    }

    /** Without a host no server answers, and cookies are taken apart by themselves. */
    private static boolean stays(Header header) {
        return header.is("Host") || header.is("Cookie");
    }

    private static List<String> cookies(HttpCall call) {
        return call.head().all("Cookie").stream()
                .flatMap(COOKIES::splitAsStream)
                .filter(pair -> !pair.isEmpty())
                .toList();
    }

    private static HttpCall withCookies(HttpCall call, List<String> kept) {
        Stream<Header> others = call.head().headers().stream().filter(header -> !header.is("Cookie"));
        Stream<Header> cookie = kept.isEmpty() ? Stream.of() : Stream.of(new Header("Cookie", String.join("; ", kept)));
        return call.withHeaders(Stream.concat(others, cookie).toList());
    }

    /** Lines, or where there are too few or too many of them, equal pieces; forms and JSON have ways of their own. */
    private static List<String> pieces(HttpCall call) {
        if (!call.form().isEmpty() || JsonLevel.isJson(call) || call.body().length == 0) {
            return List.of();
        }
        String text = call.text();
        List<String> lines = List.of(text.split("(?<=\n)"));
        if (lines.size() > 1 && lines.size() <= PIECES) {
            return lines;
        }
        List<String> pieces = new ArrayList<>();
        int length = Math.max(1, (text.length() + PIECES - 1) / PIECES);
        for (int from = 0; from < text.length(); from += length) {
            pieces.add(text.substring(from, Math.min(text.length(), from + length)));
        }
        return pieces;
    }

    private static HttpCall withPieces(HttpCall call, List<String> kept) {
        return call.body().length == 0 || !call.form().isEmpty() || JsonLevel.isJson(call)
                ? call
                : call.withBody(String.join("", kept).getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Parts that are a list. */
    private record Parts<P>(
            String name,
            Function<HttpInput, List<P>> parts,
            BiFunction<HttpInput, List<P>, HttpInput> with,
            Function<P, InputPart> described)
            implements Dimension {
        @Override
        public int count(HttpInput input) {
            return parts.apply(input).size();
        }

        @Override
        public HttpInput keep(HttpInput input, BitSet kept) {
            List<P> all = parts.apply(input);
            return kept.cardinality() == all.size()
                    ? input
                    : with.apply(input, kept.stream().mapToObj(all::get).toList());
        }

        @Override
        public InputPart describe(HttpInput input, int part) {
            return described.apply(parts.apply(input).get(part));
        }
    }
}
