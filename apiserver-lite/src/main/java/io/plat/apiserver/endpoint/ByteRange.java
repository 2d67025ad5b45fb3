package io.plat.apiserver.endpoint;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a file, as a client asks for it (RFC 9110, 14.2).
 *
 * @param from where it begins, in bytes
 * @param length how many bytes; 0 where the file has none of those asked for
 */
record ByteRange(long from, long length) {
    private static final Pattern ONE = Pattern.compile("bytes=\\s*([0-9]{0,18})-([0-9]{0,18})\\s*");

    /**
     * The part that a header field {@code Range} asks for. Empty where all is to be sent: without the field, for several parts, and for what
     * is no range by the letter.
     */
    static Optional<ByteRange> of(String header, long size) {
        Matcher asked = ONE.matcher(header);
        if (!asked.matches()) {
            return Optional.empty();
        }
        if (asked.group(1).isEmpty()) {
            return asked.group(2).isEmpty()
                    ? Optional.empty()
                    : Optional.of(last(Long.parseLong(asked.group(2)), size));
        }
        long from = Long.parseLong(asked.group(1));
        long to = asked.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(asked.group(2));
        if (to < from) {
            return Optional.empty();
        }
        return Optional.of(new ByteRange(from, Math.max(0, Math.min(to, size - 1) - from + 1)));
    }

    private static ByteRange last(long bytes, long size) {
        long length = Math.min(bytes, size);
        return new ByteRange(size - length, length);
    }

    /** The header field {@code Content-Range} of an answer with this part. */
    String of(long size) {
        return length == 0 ? "bytes */" + size : "bytes " + from + "-" + (from + length - 1) + "/" + size;
    }
}
