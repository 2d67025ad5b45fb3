package io.plat.apiserver.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Keeps what is written, and fails as soon as it is too much. */
final class BoundedOutput extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    private final int most;

    BoundedOutput(int most) {
        this.most = most;
    }

    @Override
    public void write(int b) throws IOException {
        require(1);
        bytes.write(b);
    }

    @Override
    public void write(byte[] more, int start, int length) throws IOException {
        require(length);
        bytes.write(more, start, length);
    }

    private void require(int more) throws IOException {
        if (more > most - bytes.size()) {
            throw new IOException("more than " + most + " bytes");
        }
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
