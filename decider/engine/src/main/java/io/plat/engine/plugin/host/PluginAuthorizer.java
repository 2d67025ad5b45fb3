package io.plat.engine.plugin.host;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Deny;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.plugin.AuthorizerPlugin;
import io.plat.engine.plugin.PluginDecision;
import io.plat.engine.plugin.host.PluginFailures.PluginException;
import io.plat.review.Attributes;
import io.plat.review.source.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** An authorizer that calls a plug-in. The calling thread waits no longer than the deadline; every failure is {@link Undecided}. */
final class PluginAuthorizer implements Authorizer, AutoCloseable {
    /** Maximum length of a plug-in's reason, in characters. */
    private static final int MAX_REASON = 1024;

    private final String name;
    private final String source;
    private final AuthorizerPlugin plugin;
    private final PluginCalls calls;
    private final PluginFailures failures;

    /**
     * Creates an authorizer for a plug-in.
     *
     * @param source the jar that contains it
     */
    PluginAuthorizer(String name, String source, AuthorizerPlugin plugin, PluginCalls.Limits limits) {
        this.name = name;
        this.source = source;
        this.plugin = plugin;
        this.calls = new PluginCalls(limits, name, plugin.getClass().getClassLoader());
        this.failures = new PluginFailures(name);
    }

    String source() {
        return source;
    }

    @Override
    public Decision authorize(Attributes attributes) {
        try {
            return decision(calls.call(() -> call(attributes)));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PluginException threw) {
                failures.threw(String.valueOf(threw.getMessage()));
                return undecided("threw " + threw.kind());
            }
            return failed("threw an exception without a usable description");
        } catch (PluginCalls.CallTimeoutException e) {
            return failed(String.valueOf(e.getMessage()));
        } catch (RejectedExecutionException e) {
            return undecided("was not called: the server is stopping");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return undecided("was interrupted");
        }
    }

    /** Runs on the call's thread and catches everything that the plug-in throws. */
    private @Nullable PluginDecision call(Attributes attributes) throws PluginException {
        try {
            return plugin.authorize(PluginRequestAttributes.of(attributes));
        } catch (Throwable thrown) {
            throw new PluginException(thrown);
        }
    }

    private Decision decision(@Nullable PluginDecision decision) {
        if (decision == null) {
            return failed("returned no decision");
        }
        String reason = shown(decision.reason());
        return decision.allowed()
                ? new Allow(new PluginGrant(name, source, reason))
                : new Deny(PluginGrant.reason("refused", name, reason));
    }

    /** Returns the reason in a safe form. An unpaired surrogate, which responses cannot represent, becomes a question mark. */
    private static String shown(String reason) {
        boolean longer = reason.length() > MAX_REASON;
        String cut = longer ? reason.substring(0, MAX_REASON) : reason;
        String line = Quoted.oneLine(new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
        return longer ? line + "…" : line;
    }

    private Undecided failed(String what) {
        failures.log(what);
        return undecided(what);
    }

    private Undecided undecided(String what) {
        return new Undecided(Cause.FAILED, "the plug-in " + what);
    }

    /** Interrupts calls in progress; there are no further calls. */
    @Override
    public void close() {
        calls.close();
    }
}
