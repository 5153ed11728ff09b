package dev.understudy.divergence.wire.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a framer says, with neighbouring pieces of a body joined, and counts the bytes accounted for. */
final class Events<H> implements HttpSink<H> {
    final List<H> heads = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    long accounted;
    private long framed;
    private String unframed = "";

    @Override
    public void head(H head, int rawLength) {
        flush();
        account(rawLength);
        heads.add(head);
        log.add("head " + head);
    }

    @Override
    public void interim(ReplyHead head, int rawLength) {
        flush();
        account(rawLength);
        log.add("interim " + head);
    }

    @Override
    public void body(ByteBuffer content, int rawLength) {
        account(rawLength);
        while (content.hasRemaining()) {
            body.write(content.get());
        }
    }

    @Override
    public void trailers(List<Header> trailers) {
        flush();
        log.add("trailers " + trailers);
    }

    @Override
    public void end() {
        flush();
        log.add("end " + framed);
        framed = 0;
    }

    @Override
    public void unframed(String reason, int rawLength) {
        accounted += rawLength;
        if (unframed.isEmpty()) {
            flush();
            log.add("unframed " + reason);
            unframed = reason;
        } else if (!unframed.equals(reason)) {
            log.add("another reason " + reason);
        }
    }

    private void account(int rawLength) {
        if (!unframed.isEmpty() || rawLength < 0) {
            log.add("framed again, or a negative length: " + rawLength);
        }
        accounted += rawLength;
        framed += rawLength;
    }

    private void flush() {
        if (body.size() > 0) {
            log.add("body " + body.toString(StandardCharsets.ISO_8859_1));
            body.reset();
        }
    }

    /** All events so far. */
    List<String> log() {
        flush();
        return log;
    }

    /** The kinds of events, e.g. {@code head body end}, with the reason if unframed. */
    String outline() {
        StringBuilder outline = new StringBuilder();
        for (String event : log()) {
            String kind = event.startsWith("unframed") ? event : event.substring(0, event.indexOf(' '));
            outline.append(outline.length() == 0 ? "" : " ").append(kind);
        }
        return outline.toString();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
