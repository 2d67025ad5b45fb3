package io.plat.apiserver.etcd;

import io.grpc.Status;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;

/** Translation of call failures to storage failures. */
final class EtcdFailures {
    private static final String COMPACTED = "required revision has been compacted";

    private EtcdFailures() {}

    /** Returns the failure of a call that futures have wrapped. */
    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Returns whether a requested revision is compacted. */
    static boolean compacted(Throwable failure) {
        Status status = Status.fromThrowable(failure);
        return status.getCode() == Status.Code.OUT_OF_RANGE && text(status).contains(COMPACTED);
    }

    /** Returns whether another member may succeed. */
    static boolean ofMember(Throwable failure) {
        return switch (Status.fromThrowable(failure).getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, INTERNAL, UNKNOWN -> true;
            default -> false;
        };
    }

    /** Returns whether the member refuses the client that the connection belongs to. */
    static boolean ofClient(Throwable failure) {
        return switch (Status.fromThrowable(failure).getCode()) {
            case PERMISSION_DENIED, UNAUTHENTICATED -> true;
            default -> false;
        };
    }

    static StorageException reading(Throwable failure) {
        Status status = Status.fromThrowable(failure);
        Kind kind = status.getCode() == Status.Code.RESOURCE_EXHAUSTED ? exhausted(text(status)) : Kind.UNAVAILABLE;
        return new StorageException(kind, message(status, failure), failure);
    }

    /** Returns the failure of a write, which may have happened. */
    static StorageException writing(Throwable failure) {
        Status status = Status.fromThrowable(failure);
        return new StorageException(kind(status, failure), message(status, failure), failure);
    }

    private static Kind kind(Status status, Throwable failure) {
        String text = text(status);
        return switch (status.getCode()) {
            case RESOURCE_EXHAUSTED -> exhausted(text);
            case INVALID_ARGUMENT, OUT_OF_RANGE -> text.contains("too large") ? Kind.TOO_LARGE : Kind.UNAVAILABLE;
            case PERMISSION_DENIED, UNAUTHENTICATED, FAILED_PRECONDITION, NOT_FOUND, UNIMPLEMENTED -> Kind.UNAVAILABLE;
            case UNAVAILABLE -> notSent(failure) ? Kind.UNAVAILABLE : Kind.UNCERTAIN;
            default -> Kind.UNCERTAIN;
        };
    }

    /** Returns the kind of a code that etcd uses for a full disk, an oversized message and temporary overload. */
    private static Kind exhausted(String text) {
        if (text.contains("space exceeded")) {
            return Kind.FULL;
        }
        return text.contains("larger than max") ? Kind.TOO_LARGE : Kind.OVERLOADED;
    }

    /** Returns whether there was no connection to send the request. */
    private static boolean notSent(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException
                    || cause instanceof UnknownHostException
                    || cause instanceof SSLException) {
                return true;
            }
        }
        return false;
    }

    private static String message(Status status, Throwable failure) {
        if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
            return "etcd: no answer in time";
        }
        String reason = reason(status, failure);
        String description = reason.isEmpty()
                ? status.getCode().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                : reason;
        return "etcd: " + description.replaceFirst("^etcdserver: ", "").replaceAll("\\s+", " ");
    }

    private static String reason(Status status, Throwable failure) {
        String reason = text(status);
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException) {
                // The cause no longer names the server.
                return String.valueOf(cause.getMessage());
            }
            if (cause instanceof UnknownHostException || cause instanceof SSLException) {
                reason = String.valueOf(cause.getMessage());
            }
        }
        return reason;
    }

    private static String text(Status status) {
        return status.getDescription() == null ? "" : status.getDescription();
    }
}
