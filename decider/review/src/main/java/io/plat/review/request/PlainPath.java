package io.plat.review.request;

import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.text.Normalizer;

/**
 * Paths that every server interprets identically, for decisions about requests that another server serves. An API server that serves requests itself
 * has weaker rules ({@link RequestInfo}).
 */
public final class PlainPath {
    private PlainPath() {}

    /**
     * Decodes a path once.
     *
     * @param raw the path as received, still encoded, without a query
     * @throws StatusException 400 for a path that a server could resolve, decode again, cut off or fold into another one
     */
    public static String decode(String raw) throws StatusException {
        String path = RequestInfoParser.RequestPath.parse(raw).decoded();
        require(path);
        return path;
    }

    /**
     * Refuses decoded paths that another server could interpret differently.
     *
     * @throws StatusException 400 for an encoded {@code ?} or {@code #}, a segment that ends with a dot or a space, as file systems drop them, and characters
     *     that normalization turns into ASCII or that are not visible
     */
    public static void require(String path) throws StatusException {
        boolean ascii = true;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            ascii &= c < 0x80;
            boolean last = i + 1 == path.length() || path.charAt(i + 1) == '/';
            if (c == '?' || c == '#') {
                throw ambiguous("it contains an encoded \"?\" or \"#\"");
            }
            if (last && (c == '.' || c == ' ')) {
                throw ambiguous("a segment ends with \".\" or a space");
            }
        }
        if (!ascii && path.codePoints().anyMatch(PlainPath::isMistakable)) {
            throw ambiguous("it contains a character that can stand for others, or is invisible");
        }
    }

    /** Returns whether normalization turns a character into ASCII, such as a full-width slash, or it is invisible. */
    private static boolean isMistakable(int codePoint) {
        return codePoint >= 0x80
                && (Quoted.isUnsafe(codePoint)
                        || Normalizer.normalize(Character.toString(codePoint), Normalizer.Form.NFKC)
                                .chars()
                                .anyMatch(c -> c < 0x80));
    }

    private static StatusException ambiguous(String cause) {
        return new StatusException(StatusReason.BAD_REQUEST, "ambiguous request path: " + cause);
    }
}
