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
public final class Negotiation {
    private static final String JSON = "application/json";
    private static final List<String> TAKE_JSON = List.of(JSON, "application/*", "*/*");

    /** The usual Accept header of kube-apiserver, which is accepted without parsing. */
    private static final String USUAL = "application/json, */*";

    private static final Status SENT = Status.of(
            StatusReason.UNSUPPORTED_MEDIA_TYPE,
            "the body of the request was in an unknown format - accepted media types include: " + JSON);
    private static final Status WANTED =
            Status.of(StatusReason.NOT_ACCEPTABLE, "only the following media types are accepted: " + JSON);

    private Negotiation() {}

    /** Returns the reason for rejecting the request, or null. */
    public static @Nullable Status refusal(Request request) {
        if (!HttpMethod.POST.is(request.getMethod())) {
            return StatusResponses.METHOD_NOT_ALLOWED;
        }
        HttpFields headers = request.getHeaders();
        if (!isJson(headers.get(HttpHeader.CONTENT_TYPE)) || headers.contains(HttpHeader.CONTENT_ENCODING)) {
            return SENT;
        }
        return takesJson(headers) ? null : WANTED;
    }

    private static boolean isJson(@Nullable String sent) {
        return sent == null
                || sent.equals(JSON)
                || HttpField.stripParameters(sent).strip().equalsIgnoreCase(JSON);
    }

    private static boolean takesJson(HttpFields headers) {
        HttpField accept = headers.getField(HttpHeader.ACCEPT);
        if (accept == null || USUAL.equals(accept.getValue()) || TAKE_JSON.contains(accept.getValue())) {
            return true;
        }
        // Types with a weight of 0 are not in this list.
        for (String wanted : headers.getQualityCSV(HttpHeader.ACCEPT)) {
            String type = HttpField.stripParameters(wanted).strip().toLowerCase(Locale.ROOT);
            if (TAKE_JSON.contains(type)) {
                return true;
            }
        }
        return false;
    }
}
