package io.plat.apiserver.request;

import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.List;

/**
 * Path of a request as segments, each decoded once.
 *
 * @param segments non-empty segments
 * @param trailingSlash whether the path ends with a slash
 */
record RequestPath(List<String> segments, boolean trailingSlash) {
    RequestPath {
        segments = List.copyOf(segments);
    }

    /**
     * Splits and decodes a path.
     *
     * @param raw path as received
     * @throws StatusException 400 for an ambiguous path (see the table in the package documentation)
     */
    static RequestPath parse(String raw) throws StatusException {
        if (raw.isEmpty() || raw.charAt(0) != '/') {
            throw malformed("must begin with \"/\"");
        }
        List<String> segments = new ArrayList<>();
        int start = 1;
        while (start < raw.length()) {
            int end = raw.indexOf('/', start);
            if (end < 0) {
                end = raw.length();
            }
            segments.add(segment(raw.substring(start, end)));
            start = end + 1;
        }
        boolean trailingSlash = raw.length() > 1 && raw.endsWith("/");
        return new RequestPath(segments, trailingSlash);
    }

    String decoded() {
        return "/" + String.join("/", segments) + (trailingSlash ? "/" : "");
    }

    private static String segment(String raw) throws StatusException {
        if (raw.isEmpty()) {
            throw malformed("must not hold an empty segment");
        }
        String segment =
                PercentDecoding.decode(raw, false).orElseThrow(() -> malformed("must be percent-encoded UTF-8"));
        if (segment.equals(".") || segment.equals("..")) {
            throw malformed("must not hold a segment \".\" or \"..\"");
        }
        for (int i = 0; i < segment.length(); i++) {
            char c = segment.charAt(i);
            if (c == '/' || c == '%' || c == '\\' || c == ';' || Character.isISOControl(c)) {
                throw malformed("must not hold an encoded \"/\" or \"%\", a \"\\\", a \";\" or a control character");
            }
        }
        return segment;
    }

    private static StatusException malformed(String rule) {
        return new StatusException(StatusReason.BAD_REQUEST, "malformed request path: it " + rule);
    }
}
