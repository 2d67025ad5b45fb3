package io.plat.tests.process;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Words that a launcher sends to the JVM that runs its program, each followed by a null byte. */
record LauncherWords(InputStream in) {
    static LauncherWords of(Socket client) throws IOException {
        return new LauncherWords(new BufferedInputStream(client.getInputStream()));
    }

    /** Returns the directory of the launcher's process (proc(5)), from its id. */
    Path process() throws IOException {
        return Path.of("/proc", next());
    }

    /** Returns the arguments of the program, which follow their number. */
    String[] arguments() throws IOException {
        String[] arguments = new String[Integer.parseInt(next())];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = next();
        }
        return arguments;
    }

    String next() throws IOException {
        var word = new ByteArrayOutputStream();
        for (int next = in.read(); next != 0; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the client has disconnected");
            }
            word.write(next);
        }
        return word.toString(StandardCharsets.UTF_8);
    }
}
