package io.plat.http;

import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests with an unacceptable head: CONNECT, too many header fields (the parser limits their size), a {@code Content-Type} that is not a
 * media type (RFC 9110, 8.3.1), an empty {@code Accept}. The media types of relayed requests are not checked.
 */
final class HeaderChecks extends Handler.Wrapper {
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]++";
    private static final Pattern TYPE = Pattern.compile(TOKEN + "/" + TOKEN);
    private static final Pattern PARAMETER =
            Pattern.compile("[ \t]*+;[ \t]*+(?:" + TOKEN + "=(?:" + TOKEN + "|\"[^\"\\\\]*+\"))?+[ \t]*+");

    private static final Status TUNNEL =
            Status.of(StatusReason.BAD_REQUEST, "the server opens no tunnels: CONNECT is not supported");
    private static final Status NO_TYPE = Status.of(
            StatusReason.UNSUPPORTED_MEDIA_TYPE,
            "the Content-Type is empty or malformed: expected a media type such as application/json");
    private static final Status NO_ACCEPT = Status.of(
            StatusReason.NOT_ACCEPTABLE, "the Accept header is empty: expected a media type such as application/json");

    private final int limit;
    private final Predicate<Request> relayed;

    HeaderChecks(int limit, Predicate<Request> relayed) {
        this.limit = limit;
        this.relayed = relayed;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        @Nullable Status refusal = HttpMethod.CONNECT.is(request.getMethod()) ? TUNNEL : refusal(request);
        if (refusal == null) {
            return super.handle(request, response, callback);
        }
        StatusResponses.answer(request, response, callback, refusal);
        return true;
    }

    private @Nullable Status refusal(Request request) {
        HttpFields fields = request.getHeaders();
        if (fields.size() > limit) {
            return StatusResponses.of(
                    HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431,
                    "the request has " + fields.size() + " header fields: limit is " + limit);
        }
        @Nullable Status refusal = mediaTypeRefusal(fields);
        return refusal == null || relayed.test(request) ? null : refusal;
    }

    private static @Nullable Status mediaTypeRefusal(HttpFields fields) {
        boolean typed = false;
        for (HttpField field : fields) {
            if (field.getHeader() == HttpHeader.CONTENT_TYPE) {
                if (typed || !isMediaType(field.getValue())) {
                    return NO_TYPE;
                }
                typed = true;
            } else if (field.getHeader() == HttpHeader.ACCEPT && isEmpty(field.getValue())) {
                return NO_ACCEPT;
            }
        }
        return null;
    }

    private static boolean isEmpty(@Nullable String value) {
        return value == null || value.isBlank();
    }

    private static boolean isMediaType(@Nullable String text) {
        if (text == null || text.equals(StatusResponses.JSON)) {
            return text != null;
        }
        Matcher matcher = TYPE.matcher(text);
        if (!matcher.lookingAt()) {
            return false;
        }
        int end = matcher.end();
        matcher.usePattern(PARAMETER);
        while (end < text.length() && matcher.region(end, text.length()).lookingAt()) {
            end = matcher.end();
        }
        return end == text.length();
    }
}
