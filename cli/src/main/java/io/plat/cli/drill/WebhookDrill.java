package io.plat.cli.drill;

import io.plat.cli.process.CommandException;
import java.util.ArrayList;
import java.util.List;

/** Fails as a webhook in every way, and sees what the server that asks it lets through meanwhile. */
final class WebhookDrill {
    private static final int ATTEMPTS = 5;

    private final StandIn webhook;
    private final Probe probe;

    WebhookDrill(StandIn webhook, Probe probe) {
        this.webhook = webhook;
        this.probe = probe;
    }

    /**
     * Runs it.
     *
     * @param each told after each fault
     * @throws CommandException if the server does not do as its webhook says where that is in order
     */
    List<Outcome> run(Runnable each) {
        control("before the faults");
        List<Outcome> outcomes = new ArrayList<>();
        for (WebhookFault fault : WebhookFault.all()) {
            webhook.become(fault);
            Probe.Result result = probe.send();
            for (int attempt = 1; !result.passed() && webhook.connections() == 0 && attempt < ATTEMPTS; attempt++) {
                // A fault that nobody met proves nothing: a busy server may miss its deadline before it connects.
                result = probe.send();
            }
            String asked = webhook.connections() == 0 ? "; the webhook was not asked" : "";
            outcomes.add(new Outcome(fault.name(), result.passed(), result.detail() + asked));
            each.run();
        }
        control("after the faults");
        return outcomes;
    }

    private void control(String when) {
        webhook.become(WebhookFault.refusing());
        Probe.Result refused = probe.send();
        if (refused.passed()) {
            throw CommandException.couldNotTell(
                    when + " " + probe.peer().url() + " lets a request through that its webhook "
                            + (webhook.connections() == 0 ? "was not asked about" : "refuses")
                            + ", so that nothing can be told: probe as a client that nothing else allows ("
                            + refused.detail() + ")");
        }
        webhook.become(WebhookFault.allowing());
        Probe.Result allowed = probe.send();
        for (int attempt = 1; !allowed.passed() && attempt < ATTEMPTS; attempt++) {
            // A server with a short deadline may miss the first handshakes.
            allowed = probe.send();
        }
        if (!allowed.passed()) {
            throw CommandException.couldNotTell(when + " " + probe.peer().url() + " refuses a request that its webhook "
                    + (webhook.connections() == 0 ? "was not asked about" : "allows") + ": " + allowed.detail());
        }
    }
}
