package io.plat.tests.load;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A repeated request of a connection: bytes with variable numbers of ten digits. Not shared between connections. */
final class Request {
    /** Placeholder of a number. */
    static final String NUMBER = "##########";

    /** Placeholder of a number that is never repeated. */
    static final String SERIAL = "@@@@@@@@@@";

    private static final int DIGITS = NUMBER.length();
    private static final AtomicLong SERIALS = new AtomicLong();

    private final byte[] bytes;
    private final int[] offsets;
    private final int[] serialPlaces;
    private final LongSupplier numbers;

    private Request(byte[] bytes, int[] offsets, int[] serialPlaces, LongSupplier numbers) {
        this.bytes = bytes;
        this.offsets = offsets;
        this.serialPlaces = serialPlaces;
        this.numbers = numbers;
    }

    /** The same bytes each time. */
    static Request same(byte[] bytes) {
        return new Request(bytes, new int[0], new int[0], () -> 0);
    }

    /**
     * A request of a resource API.
     *
     * @param line method and path
     * @param type media type of the body; {@code ""} without one
     * @param body the body, in Latin letters; {@code ""} for none
     * @param numbers source of numbers with at most ten digits; called by many threads
     */
    static Request of(String line, String type, String body, LongSupplier numbers) {
        return of(line, "", type, body, numbers);
    }

    /** A request with a bearer token. */
    static Request withToken(String token, String line) {
        return of(line, "Authorization: Bearer " + token + "\r\n", "", "", () -> 0);
    }

    private static Request of(String line, String header, String type, String body, LongSupplier numbers) {
        String text = line + " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n" + header
                + (body.isEmpty() ? "" : "Content-Type: " + type + "\r\nContent-Length: " + body.length() + "\r\n")
                + "\r\n" + body;
        return new Request(
                text.getBytes(StandardCharsets.US_ASCII), offsets(text, NUMBER), offsets(text, SERIAL), numbers);
    }

    private static int[] offsets(String text, String mark) {
        List<Integer> offsets = new ArrayList<>();
        for (int at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + DIGITS)) {
            offsets.add(at);
        }
        return offsets.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The same request for another connection. */
    Request copy() {
        return new Request(bytes.clone(), offsets, serialPlaces, numbers);
    }

    /** Returns the next bytes; valid until the next call. */
    byte[] next() {
        write(offsets, numbers.getAsLong());
        if (serialPlaces.length > 0) {
            write(serialPlaces, SERIALS.getAndIncrement());
        }
        return bytes;
    }

    private void write(int[] where, long number) {
        for (int offset : where) {
            long rest = number;
            for (int digit = DIGITS - 1; digit >= 0; digit--) {
                bytes[offset + digit] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
        }
    }
}
