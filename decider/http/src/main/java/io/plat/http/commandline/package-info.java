/**
 * A server's command line: long flags, declared once, parsed together. Every problem is found before any is reported. The help is a resource, from
 * which the declarations take names and defaults of flags. Flags behave as in kube-apiserver.
 *
 * <p>Only the syntax of values is validated here; the existence of files is checked when they are opened.
 */
@NullMarked
package io.plat.http.commandline;

import org.jspecify.annotations.NullMarked;
