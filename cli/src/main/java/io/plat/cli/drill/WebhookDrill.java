package io.plat.cli.drill;

import io.plat.cli.process.CommandException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Faults of a webhook in all variants, with requests to the server that uses it. */
final class WebhookDrill {
    private static final int ATTEMPTS = 5;
    private static final Set<Integer> DENIED_CODES = Set.of(401, 403, 429);
    private static final int SERVER_FAILED = 500;

    private final FaultyWebhook webhook;
    private final DrillTarget peer;
    private final String nonce = UUID.randomUUID().toString().substring(0, 8);
    private int sent;

    WebhookDrill(FaultyWebhook webhook, DrillTarget peer) {
        this.webhook = webhook;
        this.peer = peer;
    }

    /**
     * Runs the drill.
     *
     * @param each called after each fault
     * @throws CommandException if the server ignores its healthy webhook
     */
    List<FaultOutcome> run(Runnable each) {
        verifyHealthy("before the faults were injected");
        List<FaultOutcome> outcomes = new ArrayList<>();
        for (WebhookFault fault : WebhookFault.all()) {
            webhook.activate(fault);
            FaultOutcome result = send(fault.name());
            for (int attempt = 1; !result.open() && webhook.connections() == 0 && attempt < ATTEMPTS; attempt++) {
                // A fault without any connection is inconclusive: a busy server may miss its deadline before it
                // connects.
                result = send(fault.name());
            }
            outcomes.add(webhook.connections() == 0 ? result.withDetail("; the webhook received no request") : result);
            each.run();
        }
        verifyHealthy("after the faults were injected");
        return outcomes;
    }

    private void verifyHealthy(String when) {
        webhook.activate(WebhookFault.denying());
        FaultOutcome denied = send("denying");
        if (denied.open()) {
            throw CommandException.undetermined(when + " " + peer.url() + " allows a request that its webhook "
                    + (webhook.connections() == 0 ? "did not receive" : "refuses")
                    + ", so the drill is inconclusive: probe as a client that no other authorizer allows ("
                    + denied.detail() + ")");
        }
        webhook.activate(WebhookFault.allowing());
        FaultOutcome allowed = send("allowing");
        for (int attempt = 1; !allowed.open() && attempt < ATTEMPTS; attempt++) {
            // A server with a short deadline may miss the first handshakes.
            allowed = send("allowing");
        }
        if (!allowed.open()) {
            throw CommandException.undetermined(when + " " + peer.url() + " refuses a request that its webhook "
                    + (webhook.connections() == 0 ? "did not receive" : "allows") + ": " + allowed.detail());
        }
    }

    /**
     * Sends the server a request that needs the webhook. Each is for another resource, so that no decision is cached. The outcome is open if the
     * request was authorized, regardless of its success.
     */
    private FaultOutcome send(String fault) {
        String head = peer.head("GET", "/drill-" + nonce + "-" + sent++, "Accept: application/json\r\n");
        try {
            DrillTarget.RawResponse answer = DrillTarget.send(peer.connect(), head, "");
            boolean passed =
                    answer.code() > 0 && answer.code() < SERVER_FAILED && !DENIED_CODES.contains(answer.code());
            return new FaultOutcome(fault, passed, answer.firstLine());
        } catch (IOException e) {
            String message = e.getMessage();
            return new FaultOutcome(fault, false, message == null ? e.getClass().getSimpleName() : message);
        }
    }
}
