package io.plat.apiserver.lease;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.FilterChain;
import io.plat.review.UserInfo;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lease of one stream: the validity of its authorization, from admission until release. */
public final class StreamLease {
    private static final Logger LOG = LoggerFactory.getLogger(StreamLease.class);
    private static final int SERVER_ERRORS = 500;

    /** Key of the client for fair sharing of checks. */
    final String client;

    private final StreamLeases leases;
    private final RequestCopy request;
    private final String user;
    private volatile @Nullable LeasedStream stream;

    /** Accessed by one round at a time, as are the following fields. */
    private UserInfo authenticated;

    private boolean authorized;

    private long revision;
    private long authorizedUntil;
    private long undecidedSince;
    private boolean undecided;
    private volatile boolean ended;
    private volatile boolean checking;

    StreamLease(StreamLeases leases, RequestCopy request, Call admitted) {
        this.leases = leases;
        this.client = admitted.client();
        this.request = request;
        this.authenticated = admitted.authenticated();
        this.user = admitted.user().name();
    }

    /** Starts the lease of an opened stream. It is checked again immediately, as authorization may have been lost since admission. */
    public void begin(LeasedStream opened) {
        stream = opened;
        leases.add(this);
    }

    /** Releases the lease: the stream has ended, or never started. */
    public void release() {
        leases.remove(this);
    }

    /** Checks the lease unless that is in progress; aborts a stream that was ended but still exists. */
    void check(StreamLeases.LeaseChecks checks, long now) {
        @Nullable LeasedStream opened = stream;
        if (ended && opened != null) {
            opened.abort();
            return;
        }
        if (checking) {
            return;
        }
        checking = true;
        long current = checks.revision().getAsLong();
        boolean reauthorize = !authorized || revision != current || now - authorizedUntil >= 0;
        FilterChain chain = reauthorize ? checks.authorization() : checks.identity();
        var call = new Call(request, request.info());
        run(now, () -> {
            if (chain.admitWithoutBlocking(call)) {
                confirmed(call, reauthorize, current, now);
            } else {
                leases.schedule(
                        client,
                        () -> run(now, () -> {
                            chain.admitRemaining(call);
                            confirmed(call, reauthorize, current, now);
                        }));
            }
        });
    }

    private interface LeaseCheck {
        void check() throws StatusException;
    }

    private void run(long now, LeaseCheck action) {
        try {
            action.check();
        } catch (StatusException refused) {
            refused(refused, now);
        } catch (RuntimeException | Error unexpected) {
            LOG.error("the authorization of a stream could not be checked", unexpected);
            undecided(now, "the server failed");
        }
    }

    private void confirmed(Call call, boolean reauthorize, long policy, long now) {
        UserInfo current = call.authenticated();
        if (!current.name().equals(authenticated.name())
                || (reauthorize && !call.user().name().equals(user))) {
            end("the credential authenticates another user now");
            return;
        }
        undecided = false;
        if (!current.equals(authenticated)) {
            // Changed groups require another authorization in the next round.
            authorized = false;
            authenticated = current;
        }
        if (reauthorize) {
            authorized = true;
            revision = policy;
            authorizedUntil = now + leases.nextAuthorization();
        }
        checking = false;
    }

    private void refused(StatusException refused, long now) {
        String reason = String.valueOf(refused.getMessage());
        if (refused.status().code() < SERVER_ERRORS) {
            end(reason);
        } else {
            undecided(now, reason);
        }
    }

    private void undecided(long now, String reason) {
        if (!undecided) {
            undecided = true;
            undecidedSince = now;
        } else if (now - undecidedSince > leases.undecidedTimeout().toNanos()) {
            end("undecided for more than " + leases.undecidedTimeout().toSeconds() + " s: " + reason);
            return;
        }
        checking = false;
    }

    private void end(String reason) {
        LOG.info(
                "a stream was ended: user={} path={} cause={}",
                Quoted.of(user),
                Quoted.of(request.rawPath()),
                Quoted.of(reason));
        end();
    }

    void end() {
        ended = true;
        @Nullable LeasedStream opened = stream;
        if (opened != null) {
            opened.end();
        }
    }
}
