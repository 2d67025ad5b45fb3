package io.plat.apiserver.endpoint;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Optional;

/**
 * Requested part of a file (RFC 9110, 14.2).
 *
 * @param from offset in bytes
 * @param length length in bytes; 0 if the range is not satisfiable
 */
record ByteRange(long from, long length) {
    private static final Pattern ONE = Pattern.compile("bytes=\\s*([0-9]{0,18})-([0-9]{0,18})\\s*");

    /**
     * Parses a {@code Range} header. Empty if the whole file is to be sent: without the field, for several ranges, and for a malformed
     * one.
     */
    static Optional<ByteRange> of(String header, long size) {
        Matcher requested = ONE.matcher(header);
        if (!requested.matches()) {
            return Optional.empty();
        }
        if (requested.group(1).isEmpty()) {
            return requested.group(2).isEmpty()
                    ? Optional.empty()
                    : Optional.of(last(Long.parseLong(requested.group(2)), size));
        }
        long from = Long.parseLong(requested.group(1));
        long to = requested.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(requested.group(2));
        if (to < from) {
            return Optional.empty();
        }
        return Optional.of(new ByteRange(from, Math.max(0, Math.min(to, size - 1) - from + 1)));
    }

    private static ByteRange last(long bytes, long size) {
        long length = Math.min(bytes, size);
        return new ByteRange(size - length, length);
    }

    String of(long size) {
        return length == 0 ? "bytes */" + size : "bytes " + from + "-" + (from + length - 1) + "/" + size;
    }
}
