package io.plat.fronts;

import io.plat.http.StatusResponses;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Content negotiation of JSON requests: a POST of JSON by a client that accepts JSON. */
public final class JsonNegotiation {
    private static final String JSON = "application/json";
    private static final List<String> ACCEPTABLE = List.of(JSON, "application/*", "*/*");

    /** The default Accept header of kube-apiserver, which is accepted without parsing. */
    private static final String DEFAULT_ACCEPT = "application/json, */*";

    private static final Status UNSUPPORTED = Status.of(
            StatusReason.UNSUPPORTED_MEDIA_TYPE,
            "the body of the request was in an unknown format - accepted media types include: " + JSON);
    private static final Status NOT_ACCEPTABLE =
            Status.of(StatusReason.NOT_ACCEPTABLE, "only the following media types are accepted: " + JSON);

    private JsonNegotiation() {}

    /** Returns the reason for rejecting the request, or null. */
    public static @Nullable Status refusal(Request request) {
        if (!HttpMethod.POST.is(request.getMethod())) {
            return StatusResponses.METHOD_NOT_ALLOWED;
        }
        HttpFields headers = request.getHeaders();
        if (!isJson(headers.get(HttpHeader.CONTENT_TYPE)) || headers.contains(HttpHeader.CONTENT_ENCODING)) {
            return UNSUPPORTED;
        }
        return acceptsJson(headers) ? null : NOT_ACCEPTABLE;
    }

    private static boolean isJson(@Nullable String sent) {
        return sent == null
                || sent.equals(JSON)
                || HttpField.stripParameters(sent).strip().equalsIgnoreCase(JSON);
    }

    private static boolean acceptsJson(HttpFields headers) {
        HttpField accept = headers.getField(HttpHeader.ACCEPT);
        if (accept == null || DEFAULT_ACCEPT.equals(accept.getValue()) || ACCEPTABLE.contains(accept.getValue())) {
            return true;
        }
        // Types with a weight of 0 are not in this list.
        for (String wanted : headers.getQualityCSV(HttpHeader.ACCEPT)) {
            String type = HttpField.stripParameters(wanted).strip().toLowerCase(Locale.ROOT);
            if (ACCEPTABLE.contains(type)) {
                return true;
            }
        }
        return false;
    }
}
