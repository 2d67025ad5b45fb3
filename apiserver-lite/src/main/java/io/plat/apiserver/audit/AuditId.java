package io.plat.apiserver.audit;

import com.google.re2j.Pattern;
import io.plat.http.RequestIds;

/** Audit IDs of requests: the value of the client's {@value #HEADER}, for correlation with its own records, or a new ID. */
public final class AuditId {
    public static final String HEADER = "Audit-Id";

    /** Safe characters, and long enough for any ID in use. */
    private static final Pattern FORMAT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,63}");

    private final RequestIds newIds = new RequestIds();

    /**
     * Returns the audit ID of a request.
     *
     * @param header value of its header field, several values separated by commas; {@code ""} for none
     */
    public String of(String header) {
        return !header.isEmpty() && FORMAT.matcher(header).matches() ? header : newIds.next();
    }
}
