package io.plat.apiserver.authentication;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.plat.apiserver.authentication.Authentication.Absent;
import io.plat.apiserver.authentication.Authentication.Authenticated;
import io.plat.apiserver.authentication.Authentication.Refused;
import io.plat.review.UserInfo;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.tls.files.FileWatch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bearer tokens listed in a file ({@code --token-auth-file}). The file is re-read when it changes; one that can't be used is
 * reported and the last good one stays. A token that is not listed is refused.
 */
public final class TokenFileAuthenticator implements Authenticator, AutoCloseable {
    /** The largest file, in bytes: far more than a list that people keep by hand. */
    static final int MAX_BYTES = 8 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(TokenFileAuthenticator.class);

    private final Path file;
    private final ReloadObserver observer;
    private final FileWatch watch;
    private volatile TokenTable tokens = TokenTable.EMPTY;

    /** Hears what becomes of a changed file. */
    @FunctionalInterface
    public interface ReloadObserver {
        /**
         * The file was read again.
         *
         * @param used whether it could be used
         */
        void reloaded(boolean used);
    }

    private TokenFileAuthenticator(Path file, ReloadObserver observer, FileWatch.Settings settings) {
        this.file = file;
        this.observer = observer;
        this.watch = FileWatch.of("token-auth-file", List.of(file), settings, changed -> reload());
    }

    /**
     * Reads the file and watches it from now on.
     *
     * @throws ProblemsException everything that is wrong with it, with its lines
     */
    public static TokenFileAuthenticator open(Path file, ReloadObserver observer) throws ProblemsException {
        return open(file, observer, FileWatch.Settings.DEFAULT);
    }

    static TokenFileAuthenticator open(Path file, ReloadObserver observer, FileWatch.Settings settings)
            throws ProblemsException {
        TokenFileAuthenticator authenticator = new TokenFileAuthenticator(file, observer, settings);
        try {
            authenticator.tokens = read(file);
        } catch (ProblemsException e) {
            authenticator.close();
            throw e;
        }
        authenticator.watch.start();
        return authenticator;
    }

    private void reload() {
        try {
            tokens = read(file);
            LOG.info("{}: reloaded, {} tokens", file, tokens.size());
            observer.reloaded(true);
        } catch (ProblemsException e) {
            LOG.warn("the changed token file can't be used, the last good one stays in use: {}", e.getMessage());
            observer.reloaded(false);
        }
    }

    private static TokenTable read(Path file) throws ProblemsException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw unusable(file, "no such file");
        } catch (AccessDeniedException e) {
            throw unusable(file, "permission denied");
        } catch (IOException e) {
            throw unusable(file, "can't be read: " + e.getMessage());
        }
        if (bytes.length > MAX_BYTES) {
            throw unusable(file, "is larger than " + MAX_BYTES + " bytes");
        }
        try {
            return TokenTable.parse(
                    file.toString(),
                    UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            throw unusable(file, "is no UTF-8 text");
        }
    }

    private static ProblemsException unusable(Path file, String message) {
        return new ProblemsException(new Problem(new Location(file.toString(), 0), message));
    }

    @Override
    public Authentication authenticate(Credentials credentials) {
        Optional<String> token = BearerToken.of(credentials);
        if (token.isEmpty()) {
            return Absent.ABSENT;
        }
        Optional<UserInfo> user = tokens.find(token.get());
        return user.isPresent() ? new Authenticated(user.get()) : new Refused("bearer token: not in the token file");
    }

    /** Stops watching the file. */
    @Override
    public void close() {
        watch.close();
    }
}
