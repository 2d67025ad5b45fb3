/** {@code plat pki}: a certificate authority for development and small installations. */
@NullMarked
package io.plat.cli.pki;

import org.jspecify.annotations.NullMarked;
