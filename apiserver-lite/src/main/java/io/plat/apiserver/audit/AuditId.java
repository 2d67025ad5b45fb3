package io.plat.apiserver.audit;

import io.plat.http.RequestIds;
import java.util.regex.Pattern;

/** The ids of requests: what a client says in {@value #HEADER}, so that its own records meet the server's, or a new one. */
public final class AuditId {
    /** The header field, of requests and of answers. */
    public static final String HEADER = "Audit-Id";

    /** Long enough for any id in use, and of nothing that would have to be escaped anywhere. */
    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,63}");

    private final RequestIds made = new RequestIds();

    /**
     * The id of a request.
     *
     * @param header what its header field says, several values separated by commas; {@code ""} where it has none
     */
    public String of(String header) {
        return !header.isEmpty() && SANE.matcher(header).matches() ? header : made.next();
    }
}
