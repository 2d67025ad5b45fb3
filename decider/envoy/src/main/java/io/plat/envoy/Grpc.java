package io.plat.envoy;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.plat.fronts.Intake;
import io.plat.fronts.check.AnswerFields;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Unary gRPC calls over HTTP/2: message framing, deadline, and status trailers. A failure is the gRPC code of a {@link Status}, in a response without
 * a message.
 */
final class Grpc {
    private static final String TYPE = "application/grpc";
    private static final String PROTO = TYPE + "+proto";
    private static final HttpField ANSWER_TYPE = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, TYPE);
    private static final String STATUS = "grpc-status";
    private static final HttpFields OK = HttpFields.build().put(STATUS, "0").asImmutable();

    /** Size of the frame prefix: the compression flag, and the length in four bytes. */
    private static final int PREFIX = 5;

    private static final int TIMEOUT_DIGITS = 8;

    private Grpc() {}

    /** Returns the HTTP failure of a request that is not a gRPC call, or null. */
    static @Nullable Status refusal(Request request) {
        if (!HttpMethod.POST.is(request.getMethod())) {
            return Status.of(StatusReason.METHOD_NOT_ALLOWED, "gRPC calls are POST requests");
        }
        @Nullable String sent = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        String type =
                sent == null ? "" : HttpField.stripParameters(sent).strip().toLowerCase(Locale.ROOT);
        if (!type.equals(TYPE) && !type.equals(PROTO)) {
            return Status.of(
                    StatusReason.UNSUPPORTED_MEDIA_TYPE, "this path takes gRPC calls: expected Content-Type " + TYPE);
        }
        return request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2
                ? null
                : Status.of(StatusReason.BAD_REQUEST, "gRPC calls need HTTP/2");
    }

    /**
     * Returns the deadline of a call, by {@link System#nanoTime}, or null if it has none.
     *
     * @throws StatusException if the timeout is malformed
     */
    static @Nullable Long deadline(Request request) throws StatusException {
        @Nullable String limit = request.getHeaders().get("grpc-timeout");
        if (limit == null) {
            return null;
        }
        int digits = limit.length() - 1;
        if (digits < 1
                || digits > TIMEOUT_DIGITS
                || !limit.chars().limit(digits).allMatch(c -> c >= '0' && c <= '9')) {
            throw malformedTimeout();
        }
        TimeUnit unit = switch (limit.charAt(digits)) {
            case 'H' -> TimeUnit.HOURS;
            case 'M' -> TimeUnit.MINUTES;
            case 'S' -> TimeUnit.SECONDS;
            case 'm' -> TimeUnit.MILLISECONDS;
            case 'u' -> TimeUnit.MICROSECONDS;
            case 'n' -> TimeUnit.NANOSECONDS;
            default -> throw malformedTimeout();
        };
        return request.getHeadersNanoTime() + unit.toNanos(Long.parseLong(limit, 0, digits, 10));
    }

    private static StatusException malformedTimeout() {
        return new StatusException(
                Status.of(StatusReason.BAD_REQUEST, "grpc-timeout is malformed: expected up to 8 digits and a unit"));
    }

    /**
     * Returns the bytes of a call's message.
     *
     * @param bytes the body
     * @param count the number of bytes of the body
     * @throws StatusException if it is not exactly one uncompressed message
     */
    static ByteBuffer message(byte[] bytes, int count) throws StatusException {
        ByteBuffer body = ByteBuffer.wrap(bytes, 0, count);
        if (count < PREFIX) {
            throw new StatusException(Status.of(StatusReason.BAD_REQUEST, "the call has no message"));
        }
        byte compressed = body.get();
        long length = Integer.toUnsignedLong(body.getInt());
        if (compressed != 0) {
            throw new StatusException(
                    compressed == 1
                            ? Status.of(StatusReason.NOT_IMPLEMENTED, "compressed messages are not supported")
                            : Status.of(StatusReason.BAD_REQUEST, "the frame of the message is malformed"));
        }
        if (length > body.remaining()) {
            throw new StatusException(Status.of(StatusReason.BAD_REQUEST, "the message is incomplete"));
        }
        if (length < body.remaining()) {
            throw new StatusException(Status.of(StatusReason.NOT_IMPLEMENTED, "a call takes one message"));
        }
        return body;
    }

    /** Sends the message that answers a call, and ends the call. */
    static void answer(Intake.Exchange http, MessageLite message) {
        int size = message.getSerializedSize();
        byte[] frame = new byte[PREFIX + size];
        ByteBuffer.wrap(frame).put((byte) 0).putInt(size);
        try {
            message.writeTo(CodedOutputStream.newInstance(frame, PREFIX, size));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        http.permit().release();
        Response response = http.response();
        response.getHeaders().put(ANSWER_TYPE);
        response.setTrailersSupplier(() -> OK);
        response.write(true, ByteBuffer.wrap(frame), http.callback());
    }

    /** Ends a call without a message. */
    static void fail(Request request, Response response, Callback callback, Status failure) {
        response.setStatus(HttpStatus.OK_200);
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(ANSWER_TYPE);
        headers.put("grpc-accept-encoding", "identity");
        headers.put(STATUS, Integer.toString(code(failure.reason())));
        headers.put("grpc-message", AnswerFields.reason(failure.message()));
        response.write(true, null, callback);
    }

    /** Returns the gRPC code of a failure. */
    private static int code(StatusReason reason) {
        return switch (reason) {
            case BAD_REQUEST, INVALID, NOT_ACCEPTABLE, UNSUPPORTED_MEDIA_TYPE -> 3;
            case TIMEOUT -> 4;
            case NOT_FOUND -> 5;
            case ALREADY_EXISTS -> 6;
            case FORBIDDEN -> 7;
            case REQUEST_ENTITY_TOO_LARGE -> 8;
            case CONFLICT, GONE, EXPIRED -> 9;
            case METHOD_NOT_ALLOWED, NOT_IMPLEMENTED -> 12;
            case INTERNAL_ERROR -> 13;
            case SERVICE_UNAVAILABLE, TOO_MANY_REQUESTS -> 14;
            case UNAUTHORIZED -> 16;
        };
    }
}
