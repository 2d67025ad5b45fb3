package io.plat.review.clientconfig;

import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A bearer token, or a file with one. Its text is only available to the sender of requests. */
public final class BearerToken {
    private final Location where;
    private final String text;
    private final @Nullable Path file;

    private BearerToken(Location where, String text, @Nullable Path file) {
        this.where = where;
        this.text = text;
        this.file = file;
    }

    /**
     * Returns an inline token.
     *
     * @param where location, for messages
     */
    public static BearerToken of(Location where, String text) {
        return new BearerToken(where, text, null);
    }

    /** Returns a token in a file, which may be replaced at any time. */
    public static BearerToken file(Path file) {
        return new BearerToken(new Location(file.toString(), 0), "", file);
    }

    /**
     * Returns the current token, without surrounding white space.
     *
     * @throws ProblemsException if the file cannot be read, or the token is invalid in a header (RFC 6750, section 2.1)
     */
    public String read() throws ProblemsException {
        String token = file == null ? text.strip() : SourceReader.readText(file).strip();
        if (token.isEmpty()) {
            throw new ProblemsException(new Problem(where, "the token is empty"));
        }
        if (!token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new ProblemsException(new Problem(where, "the token has an invalid character"));
        }
        return token;
    }

    @Override
    public String toString() {
        return "token of " + where;
    }
}
