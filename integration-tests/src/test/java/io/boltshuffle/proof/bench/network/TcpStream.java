package io.boltshuffle.proof.bench.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A stream of bytes from one process to another: {@code TcpStream receive <address> <port>} prints the port when it
 * listens, and bytes per second when the other has closed; {@code TcpStream send <address> <port> <bytes>}.
 */
final class TcpStream {
    private static final int PIECE_BYTES = 1 << 16;

    private TcpStream() {}

    public static void main(String[] args) throws IOException {
        if (args[0].equals("receive")) {
            receive(args[1], Integer.parseInt(args[2]));
        } else {
            send(args[1], Integer.parseInt(args[2]), Long.parseLong(args[3]));
        }
    }

    private static void receive(String address, int port) throws IOException {
        try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getByName(address))) {
            System.out.println(server.getLocalPort());
            try (Socket socket = server.accept();
                    InputStream in = socket.getInputStream()) {
                byte[] piece = new byte[PIECE_BYTES];
                long bytes = 0;
                long start = System.nanoTime();
                for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                    bytes += read;
                }
                System.out.println(bytes * 1_000_000_000L / (System.nanoTime() - start));
            }
        }
    }

    private static void send(String address, int port, long bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getByName(address), port);
                OutputStream out = socket.getOutputStream()) {
            byte[] piece = new byte[PIECE_BYTES];
            for (long left = bytes; left > 0; left -= piece.length) {
                out.write(piece, 0, (int) Math.min(left, piece.length));
            }
        }
    }
}
