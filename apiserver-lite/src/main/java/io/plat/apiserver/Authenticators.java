package io.plat.apiserver;

import io.plat.apiserver.authentication.Authenticator;
import io.plat.apiserver.authentication.AuthenticatorUnion;
import io.plat.apiserver.authentication.BearerTokens;
import io.plat.apiserver.authentication.ClientCertificateAuthenticator;
import io.plat.apiserver.authentication.TokenAuthenticator;
import io.plat.apiserver.authentication.TokenFileAuthenticator;
import io.plat.apiserver.authentication.account.AccountTokens;
import io.plat.apiserver.authentication.account.IssuerDocuments;
import io.plat.apiserver.authentication.account.TokenIssuer;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.http.commandline.FlagValues;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.process.StartException;
import io.plat.review.source.ProblemsException;
import io.plat.tls.ServerTls;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who is believed to be whom.
 *
 * @param requests judges the credentials of requests
 * @param tokens judges the bearer tokens among them, and those of reviews
 * @param issuer issues tokens for service accounts
 * @param documents how others verify these
 */
record Authenticators(
        Authenticator requests, BearerTokens tokens, TokenIssuer issuer, Optional<IssuerDocuments> documents) {
    /**
     * What they are opened with.
     *
     * @param flags the flags
     * @param values their values
     * @param opened closes what was opened
     * @param problems is told what can't be used
     * @param metrics counts reloads
     * @param clock the time
     */
    record Opening(
            ApiServerFlags flags,
            FlagValues values,
            Opened opened,
            StartException.Collector problems,
            ServerMetrics metrics,
            InstantSource clock) {}

    /** Opens all that the flags name; null where there are problems, which have been told then. */
    static @Nullable Authenticators open(Opening with, @Nullable ServerTls tls, @Nullable ObjectStore store) {
        AccountFlags.Settings accounts = with.flags().accounts.settings(with.values());
        @Nullable AccountKeys keys = AccountKeys.open(accounts, store, with.problems());
        List<TokenAuthenticator> kinds = new ArrayList<>();
        boolean complete = tokenFile(with, accounts.audiences(), kinds);
        if (keys == null || tls == null || store == null || !complete) {
            return null;
        }
        kinds.add(new AccountTokens(new AccountTokens.Trust(accounts.issuers(), keys.all()), store, with.clock()));
        BearerTokens tokens = new BearerTokens(kinds, accounts.audiences());
        List<Authenticator> members = new ArrayList<>();
        if (with.values().get(with.flags().serving.clientAuthorities).isPresent()) {
            members.add(new ClientCertificateAuthenticator(tls.clientVerifier()));
        }
        members.add(tokens);
        TokenIssuer.Settings issuing = new TokenIssuer.Settings(
                accounts.issuers().getFirst(),
                accounts.audiences(),
                accounts.maxExpiration().toSeconds());
        return new Authenticators(
                new AuthenticatorUnion(members, with.values().get(with.flags().serving.anonymous)),
                tokens,
                new TokenIssuer(
                        issuing,
                        keys.signing(),
                        with.clock(),
                        () -> UUID.randomUUID().toString()),
                IssuerDocuments.of(accounts.issuers().getFirst(), accounts.keysUrl(), keys.all()));
    }

    private static boolean tokenFile(Opening with, List<String> audiences, List<TokenAuthenticator> into) {
        @Nullable Path file = with.values().get(with.flags().serving.tokenFile).orElse(null);
        if (file == null) {
            return true;
        }
        try {
            into.add(with.opened()
                    .with(TokenFileAuthenticator.open(
                            file,
                            audiences,
                            used -> with.metrics().reloads("tokens", used).increment())));
            return true;
        } catch (ProblemsException unusable) {
            unusable.problems().forEach(problem -> with.problems().add(problem.toString()));
            return false;
        }
    }
}
