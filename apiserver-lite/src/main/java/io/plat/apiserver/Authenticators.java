package io.plat.apiserver;

import io.plat.apiserver.authentication.TokenFileAuthenticator;
import io.plat.apiserver.authentication.account.IssuerDocuments;
import io.plat.apiserver.authentication.account.ServiceAccountTokenAuthenticator;
import io.plat.apiserver.authentication.account.StoredSigningKey;
import io.plat.apiserver.authentication.account.TokenIssuer;
import io.plat.apiserver.authentication.header.FrontProxyAuthenticator;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.http.authentication.Authenticator;
import io.plat.http.authentication.AuthenticatorUnion;
import io.plat.http.authentication.BearerTokenAuthenticator;
import io.plat.http.authentication.ClientCertificateAuthenticator;
import io.plat.http.authentication.TokenAuthenticator;
import io.plat.http.authentication.jwt.KeySet;
import io.plat.http.authentication.jwt.SigningKey;
import io.plat.http.authentication.jwt.VerificationKey;
import io.plat.http.authentication.oidc.OidcFlags;
import io.plat.http.commandline.FlagValues;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.process.OpenResources;
import io.plat.http.process.StartException;
import io.plat.review.source.ProblemsException;
import io.plat.tls.ServerTls;
import io.plat.tls.files.WatchedFiles;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemKeys;
import io.plat.tls.pem.PemSource;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.TrustBundle;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Authentication of requests and tokens, and the issuer of service account tokens.
 *
 * @param credentialHeaders recognizes the names of header fields that carry credentials
 */
record Authenticators(
        Authenticator requests,
        Predicate<String> credentialHeaders,
        BearerTokenAuthenticator tokens,
        TokenIssuer issuer,
        Optional<IssuerDocuments> documents) {
    /** Context in which the authenticators are opened. */
    record Context(
            ApiServerFlags flags,
            FlagValues values,
            OpenResources opened,
            StartException.Collector problems,
            ServerMetrics metrics,
            InstantSource clock) {
        AccountFlags.Settings accounts() {
            return flags.accounts.settings(values);
        }
    }

    /** Opens everything that the flags name; returns null after reporting problems. */
    static @Nullable Authenticators open(Context with, @Nullable ServerTls tls, @Nullable ObjectStore store) {
        AccountFlags.Settings accounts = with.accounts();
        @Nullable AccountKeys keys = AccountKeys.open(accounts, store, with.problems());
        List<TokenAuthenticator> kinds = new ArrayList<>();
        List<Authenticator> members = new ArrayList<>();
        // All are opened, even after a failure, so that all problems are reported together.
        boolean complete = frontProxies(with, tls, members);
        complete &= tokenFile(with, kinds);
        complete &= oidc(with, kinds);
        if (keys == null || tls == null || store == null || !complete) {
            return null;
        }
        kinds.add(new ServiceAccountTokenAuthenticator(
                new ServiceAccountTokenAuthenticator.Trust(accounts.issuers(), keys.all()), store, with.clock()));
        BearerTokenAuthenticator tokens = new BearerTokenAuthenticator(kinds, accounts.audiences());
        if (with.values().get(with.flags().serving.clientAuthorities).isPresent()) {
            members.add(new ClientCertificateAuthenticator(tls.clientVerifier()));
        }
        members.add(tokens);
        return new Authenticators(
                new AuthenticatorUnion(members, with.values().get(with.flags().serving.anonymous)),
                with.flags().frontProxies.credentialHeaders(with.values()),
                tokens,
                issuer(accounts, keys, with.clock()),
                IssuerDocuments.of(accounts.issuers().getFirst(), accounts.keysUrl(), keys.all()));
    }

    /** Returns the kinds of credentials that the server accepts. */
    static List<String> kinds(ApiServerFlags flags, FlagValues values) {
        return Stream.of(
                        values.get(flags.serving.clientAuthorities).map(file -> "client-certificate"),
                        flags.frontProxies.settings(values).map(proxies -> "front-proxy"),
                        values.get(flags.serving.tokenFile).map(file -> "token"),
                        flags.oidc.settings(values).map(issuer -> "oidc-token"),
                        Optional.of("service-account-token"),
                        Optional.of("anonymous").filter(name -> values.get(flags.serving.anonymous)))
                .flatMap(Optional::stream)
                .toList();
    }

    private static TokenIssuer issuer(AccountFlags.Settings accounts, AccountKeys keys, InstantSource clock) {
        TokenIssuer.Settings settings = new TokenIssuer.Settings(
                accounts.issuers().getFirst(),
                accounts.audiences(),
                accounts.maxExpiration().toSeconds());
        return new TokenIssuer(
                settings, keys.signing(), clock, () -> UUID.randomUUID().toString());
    }

    private static boolean frontProxies(Context with, @Nullable ServerTls tls, List<Authenticator> into) {
        FrontProxyFlags.@Nullable Settings settings =
                with.flags().frontProxies.settings(with.values()).orElse(null);
        if (settings == null || tls == null) {
            return tls != null;
        }
        try {
            WatchedFiles<TrustBundle> authorities =
                    with.opened().with(TrustBundle.watch("requestheader-ca", settings.authorities()));
            // Checked again for each proxy, as both files may change.
            if (settings.allowedNames().isEmpty()
                    && !Collections.disjoint(
                            authorities.get().certificates(),
                            tls.clientVerifier().trusted().certificates())) {
                with.problems()
                        .add(
                                "--requestheader-client-ca-file",
                                "has an authority of --client-ca-file, so each client could name any user:"
                                        + " use a separate authority, or --requestheader-allowed-names");
                return false;
            }
            into.add(new FrontProxyAuthenticator(
                    new CertificateVerifier(authorities, CertificateUsage.CLIENT, with.clock()),
                    tls.clientVerifier(),
                    settings.allowedNames(),
                    settings.headers()));
            return true;
        } catch (PemException unusable) {
            with.problems().add("--requestheader-client-ca-file", String.valueOf(unusable.getMessage()));
            return false;
        }
    }

    /** Adds the tokens of an OpenID Connect issuer. An unreachable issuer is not a start-up problem. */
    private static boolean oidc(Context with, List<TokenAuthenticator> into) {
        OidcFlags.@Nullable Settings settings =
                with.flags().oidc.settings(with.values()).orElse(null);
        if (settings == null) {
            return true;
        }
        TokenAuthenticator tokens =
                OidcFlags.open(settings, with.accounts().audiences(), with.opened(), with.problems());
        if (tokens != null) {
            into.add(tokens);
        }
        return tokens != null;
    }

    private static boolean tokenFile(Context with, List<TokenAuthenticator> into) {
        @Nullable Path file = with.values().get(with.flags().serving.tokenFile).orElse(null);
        if (file == null) {
            return true;
        }
        try {
            into.add(with.opened()
                    .with(TokenFileAuthenticator.open(
                            file,
                            with.accounts().audiences(),
                            with.flags().authorization.watching(with.values()),
                            used -> with.metrics().reloads("tokens", used).increment())));
            return true;
        } catch (ProblemsException unusable) {
            unusable.problems().forEach(problem -> with.problems().add(problem.toString()));
            return false;
        }
    }

    /**
     * Keys for service account tokens.
     *
     * @param all accepted verification keys, including that of the signing key
     */
    private record AccountKeys(SigningKey signing, KeySet all) {
        /** Reads the keys that the flags name, or the server's own key from the store; null if a problem was reported. */
        static @Nullable AccountKeys open(
                AccountFlags.Settings settings, @Nullable ObjectStore store, StartException.Collector problems) {
            SigningKey signing = settings.signingKey().isPresent()
                    ? signing(settings.signingKey().get(), problems)
                    : own(store, problems);
            List<VerificationKey> all = new ArrayList<>();
            boolean complete = true;
            for (Path file : settings.keys()) {
                complete &= read(file, all, problems);
            }
            if (signing == null || !complete) {
                return null;
            }
            all.addFirst(signing.verification());
            return new AccountKeys(signing, new KeySet(all));
        }

        private static @Nullable SigningKey own(@Nullable ObjectStore store, StartException.Collector problems) {
            if (store == null) {
                return null;
            }
            try {
                return StoredSigningKey.open(store);
            } catch (StorageException e) {
                problems.add("the key of service accounts: " + e.getMessage());
                return null;
            }
        }

        private static @Nullable SigningKey signing(Path file, StartException.Collector problems) {
            try {
                return SigningKey.of(PemKeys.read(PemSource.file(file)));
            } catch (PemException e) {
                problems.add("--service-account-signing-key-file", String.valueOf(e.getMessage()));
            } catch (IllegalArgumentException e) {
                problems.add("--service-account-signing-key-file", file + ": " + e.getMessage());
            }
            return null;
        }

        private static boolean read(Path file, List<VerificationKey> into, StartException.Collector problems) {
            try {
                for (PublicKey key : PemKeys.readPublic(PemSource.file(file))) {
                    into.add(VerificationKey.of(key));
                }
                return true;
            } catch (PemException e) {
                problems.add("--service-account-key-file", String.valueOf(e.getMessage()));
            } catch (IllegalArgumentException e) {
                problems.add("--service-account-key-file", file + ": " + e.getMessage());
            }
            return false;
        }
    }
}
