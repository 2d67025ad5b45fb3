package io.plat.envoy;

import com.google.protobuf.InvalidProtocolBufferException;
import io.plat.fronts.Intake;
import io.plat.fronts.check.FrontProvider;
import io.plat.http.StatusResponses;
import io.plat.review.status.Status;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Provider of the handler for Envoy's external authorization. */
public final class EnvoyFront implements FrontProvider {
    @Override
    public String flag() {
        return "--envoy-check";
    }

    @Override
    public Handler.Wrapper create(Parts parts) {
        try {
            // Loading these classes takes longer than Envoy waits for a response.
            CheckMessages.loadClasses();
        } catch (InvalidProtocolBufferException impossible) {
            throw new IllegalStateException(impossible);
        }
        return new Checks(parts);
    }

    /** Handler of calls. Never blocks. */
    private static final class Checks extends Handler.Wrapper {
        private static final String PATH = "/envoy.service.auth.v3.Authorization/Check";

        /** Maximum size of a message with its frame, in bytes; usual ones have a few kilobytes. */
        private static final int MESSAGE_LIMIT = 1 << 20;

        private final Parts parts;
        private final Intake intake;

        Checks(Parts parts) {
            this.parts = parts;
            this.intake = parts.intake().withBodyLimit(MESSAGE_LIMIT);
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            if (!PATH.equals(request.getHttpURI().getPath())) {
                return super.handle(request, response, callback);
            }
            @Nullable Status refusal = Grpc.refusal(request);
            if (refusal == null) {
                StatusResponses.setForm(request, Grpc::fail);
                refusal = parts.admission().apply(request);
            }
            intake.take(request, response, callback, refusal, exchange -> new CheckCall(parts, exchange));
            return true;
        }
    }
}
